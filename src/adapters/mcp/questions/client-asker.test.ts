import { expect, test } from "vitest";
import { answerOf } from "./client-asker.ts";

test.each([
  ["once", "once"],
  ["session", "session"],
  ["always", "rule"],
])("an accepted %s is an approval with the scope %s", (decision, scope) => {
  expect(answerOf("accept", { decision })).toEqual({ kind: "approve", scope });
});

test.each([
  ["decline", undefined, null],
  ["cancel", { decision: "once" }, null],
  ["accept", undefined, null],
  ["accept", {}, null],
  ["accept", { decision: "yes" }, null],
  ["accept", { decision: "deny", reason: "no" }, "no"],
  ["accept", { decision: ["once"], reason: 5 }, null],
])("%s with %j is a denial", (action, content, reason) => {
  expect(answerOf(action, content)).toEqual({ kind: "deny", reason });
});
