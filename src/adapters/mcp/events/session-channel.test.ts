import { expect, test } from "vitest";
import { kindsIn } from "./session-channel.ts";

test.each([
  [{ running: true, waiting_for: null }, ["started"]],
  [{ running: true, waiting_for: "line" }, ["started", "waiting"]],
  [{ running: false, waiting_for: null }, ["started", "exited"]],
  [{ running: false, waiting_for: null, shell_ended: false }, ["started", "finished"]],
  [{ running: false, waiting_for: null, shell_ended: true }, ["started", "exited", "finished"]],
  [{ running: true, waiting_for: null, command_exit_code: 0 }, ["started", "finished"]],
  [{ running: true, waiting_for: null, yielded: "listening" }, ["started", "listening"]],
  [{}, ["started"]],
])("an answer with %j reports %j", (fields, kinds) => {
  expect(kindsIn(fields)).toEqual(kinds);
});
