import { expect, test } from "vitest";
import { judgeStatus } from "./session-status.ts";

const verdict = (state: "line" | "password" | "key" | "none" | "unknown") => ({
  state,
  certainty: "once" as const,
  basis: { kind: "nobody" } as const,
  fingerprint: "",
});
const RUNNING = {
  exit: undefined,
  verdict: verdict("none"),
  listening: [],
  isStopped: false,
  isIdle: false,
  isFullScreen: false,
  foreground: "vim",
};
const NOBODY = "no process waits for the terminal's input";
const facts = { exit: undefined, foreground: "vim", listening: [] };

test.each([
  [{}, { ...facts, state: "running", waitingFor: null, evidence: NOBODY }],
  [{ verdict: verdict("line") }, { ...facts, state: "waiting", waitingFor: "line", evidence: NOBODY }],
  [{ verdict: verdict("password") }, { ...facts, state: "waiting", waitingFor: "password", evidence: NOBODY }],
  [{ verdict: verdict("key") }, { ...facts, state: "waiting", waitingFor: "key", evidence: NOBODY }],
  [{ verdict: verdict("unknown") }, { ...facts, state: "running", waitingFor: "unknown", evidence: NOBODY }],
  [
    { isIdle: true },
    { ...facts, state: "idle", waitingFor: null, evidence: "the shell is at its prompt and runs no command" },
  ],
  [
    { verdict: verdict("key"), isFullScreen: true },
    { ...facts, state: "fullscreen", waitingFor: "key", evidence: "it has switched to the alternate screen" },
  ],
  [
    { isFullScreen: true, isStopped: true },
    { ...facts, state: "stopped", waitingFor: null, evidence: "the kernel lists the program as stopped" },
  ],
  [
    { isFullScreen: true, isStopped: true, exit: { kind: "code", code: 0 } as const, verdict: undefined },
    {
      state: "ended",
      waitingFor: null,
      foreground: null,
      exit: { kind: "code", code: 0 },
      listening: [],
      evidence: "waitpid reported its exit",
    },
  ],
])("%o is one state, with its evidence", (change, status) => {
  expect(judgeStatus({ ...RUNNING, ...change })).toEqual(status);
});
