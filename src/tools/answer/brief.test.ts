import { expect, test } from "vitest";
import { type BriefSession, describeBrief } from "./brief.ts";

const MORE = "list_sessions(ended=true)";

function session(given: Partial<BriefSession>): BriefSession {
  return {
    id: 1,
    name: null,
    place: null,
    exit: null,
    lost: false,
    isIdle: false,
    waitingFor: null,
    program: "make",
    command: null,
    directory: null,
    listening: [],
    ageMs: 1_000,
    lastLine: "",
    frozen: null,
    lastCommand: null,
    ...given,
  };
}

test("open questions come first, then what runs, failures, idle shells and the rest", () => {
  const sessions = [
    session({ id: 1, exit: { kind: "code", code: 0 } }),
    session({
      id: 2,
      name: "default",
      isIdle: true,
      directory: "/project",
      lastCommand: { command: "npm test", exitCode: 1 },
      lastLine: "1 failed",
    }),
    session({ id: 3, exit: { kind: "signal", signal: "SIGKILL", outOfMemory: true }, program: "cc big.c" }),
    session({ id: 4, name: "dev", listening: [{ port: 3000, address: "127.0.0.1" }] as never, program: "npm run dev" }),
    session({ id: 5, waitingFor: "password", program: "sudo ls", lastLine: "Password:" }),
    session({ id: 6, lost: true }),
  ];

  expect(describeBrief(sessions, MORE).split("\n")).toEqual([
    "6 sessions: 1 waiting for input, 1 running, 2 failed or lost, 1 idle, 1 ended",
    '5 waits for input (password): "sudo ls" | "Password:"',
    '4 (dev) running, port 3000: "npm run dev"',
    '3 was killed by SIGKILL (out of memory): "cc big.c"',
    '6 lost with its host: "make"',
    '2 (default) idle in /project, last "npm test" code 1 | "1 failed"',
    '1 exited with code 0: "make"',
  ]);
});

test("a hundred sessions with long commands and lines stay within 300 tokens, and the rest is counted", () => {
  const many = Array.from({ length: 100 }, (_, id) =>
    session({ id, name: `name ${id}`, program: `é🎉世${"x".repeat(500)}`, lastLine: "y\u202e\n".repeat(300) }),
  );

  const text = describeBrief(many, MORE);

  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(900);
  expect(text.split("\n").length).toBeGreaterThan(3);
  expect(text).toMatch(/\n\d+ more: list_sessions\(ended=true\)$/);
});

test("without sessions it says so", () => {
  expect(describeBrief([], MORE)).toBe("No sessions.");
});
