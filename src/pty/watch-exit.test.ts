import { constants } from "node:os";
import { expect, test } from "vitest";
import { decodeStatus } from "./watch-exit.ts";

test("every exit code is reported as a code", () => {
  for (let code = 0; code < 256; code += 1) expect(decodeStatus(code << 8)).toEqual({ kind: "code", code });
});

test("death by a signal is reported by its name, with and without a core dump", () => {
  for (const name of ["SIGKILL", "SIGTERM", "SIGABRT", "SIGSEGV", "SIGIO", "SIGHUP"] as const) {
    const number = constants.signals[name];
    expect(decodeStatus(number)).toEqual({ kind: "signal", signal: name });
    expect(decodeStatus(number | 0x80)).toEqual({ kind: "signal", signal: name });
  }
});

test("a real-time signal has a number for a name", () => {
  expect(decodeStatus(40)).toEqual({ kind: "signal", signal: "SIG40" });
});
