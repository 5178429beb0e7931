import { expect, test } from "vitest";
import { startSession, untilExited } from "../../src/service/turn/simple-turns.ts";
import { openTools } from "../support/tools.ts";

test("a session that is closed while all are listed keeps no other from being listed", async () => {
  await using tools = openTools();
  const { sessions } = tools;
  const [stays, goes] = [
    await startSession(sessions, { command: "exec cat" }),
    await startSession(sessions, { command: "true" }),
  ];
  await untilExited(sessions, goes.id, new AbortController().signal);

  const [, listed] = await Promise.all([sessions.close(goes.id, { force: true }), sessions.list({ ended: true })]);

  expect(listed.map(({ id }) => id)).toContain(stays.id);
});
