import { expect, test } from "vitest";
import type { LimpetError } from "../base/limpet-error.ts";
import type { SessionService } from "../service/session-service.ts";
import type { TurnAnswer } from "../service/turn/turn-answer.ts";
import type { TurnRequest } from "../service/turn/turn-request.ts";
import { connect } from "./connect.ts";
import { ServiceSession } from "./service-session.ts";
import { Terminals } from "./terminals.ts";

/** As plain JavaScript calls it: the compiler checks no argument. */
type Unchecked = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

/** Nothing is asked of it: every mistake is found before. */
const untouched = new Proxy({} as SessionService, {
  get: (_, name) => {
    throw new Error(`the service was asked: ${String(name)}`);
  },
});
const session = new ServiceSession(untouched, { id: 1, name: null }, { caller: "test" });
const terminals = new Terminals(untouched);

async function errorOf(work: () => unknown): Promise<Pick<LimpetError, "code" | "message">> {
  try {
    await work();
  } catch (error) {
    const { code, message } = error as LimpetError;
    return { code, message };
  }
  throw new Error("nothing was refused");
}

test("a second key that is not in a list is refused, with the way to press both", async () => {
  const { press } = unchecked(session);

  expect(await errorOf(() => press?.("Up", "Enter"))).toEqual({
    code: "BAD_OPTION",
    message:
      'The options of press must be an object (got string). To press several keys, pass one list: press(["Up", "Enter"]).',
  });
});

test.each<[call: string, args: readonly unknown[], got: string]>([
  ["send", ["text", 5_000], "number"],
  ["press", ["Up", ["Enter"]], "an array"],
  ["paste", ["text", "more"], "string"],
  ["wait", [/ready/], "RegExp"],
  ["wait", [null], "null"],
  ["wait", [new AbortController().signal], "AbortSignal"],
  ["exited", [new AbortController().signal], "AbortSignal"],
  ["text", ["tail"], "string"],
  ["output", [0], "number"],
  ["search", ["error", 3], "number"],
  ["screen", ["ready"], "string"],
  ["resize", [80, 24], "number"],
  ["record", ["demo.cast"], "string"],
  ["record", [], "undefined"],
  ["stopRecording", ["demo.cast"], "string"],
  ["close", ["force"], "string"],
])("options of %s that are not an object are refused: %j", async (call, args, got) => {
  expect(await errorOf(() => unchecked(session)[call]?.(...args))).toEqual({
    code: "BAD_OPTION",
    message: expect.stringContaining(`The options of ${call} must be an object (got ${got}). `),
  });
});

test("options of lines that are not an object are refused when the first line is read", async () => {
  const lines = unchecked(session)["lines"]?.("all") as AsyncIterator<string>;

  expect(await errorOf(() => lines.next())).toMatchObject({ code: "BAD_OPTION" });
});

test.each<[call: string, args: readonly unknown[], message: string]>([
  ["open", ["cat", "/tmp"], "The options of open must be an object (got string). "],
  ["open", [["vim", "a.txt"]], "The options of open must be an object (got an array). "],
  ["open", [undefined], "The options of open must be an object (got undefined). "],
  [
    "run",
    [["ls", "-l"]],
    "command must be a string (got an array). Pass a command line, or use open({ program, args }).",
  ],
  ["run", ["ls", ["-l"]], "The options of run must be an object (got an array). "],
  ["run", ["cat", { input: 42 }], "input must be a string or bytes (got number). "],
  ["run", ["cat", { input: "a", tty: true }], "input cannot be used with tty: true. "],
  ["run", ["ls", { timeoutMs: "5s" }], 'timeoutMs is "5s". '],
  ["openShell", ["zsh"], "The options of openShell must be an object (got string). "],
  ["list", ["all"], "The options of list must be an object (got string). "],
])("a wrong argument of %s is refused: %j", async (call, args, message) => {
  expect(await errorOf(() => unchecked(terminals)[call]?.(...args))).toEqual({
    code: "BAD_OPTION",
    message: expect.stringContaining(message),
  });
});

test("options beside a program are used", async () => {
  const { service, asked } = recordingService();

  await new Terminals(service).open({ program: "vim", args: ["a.txt"] }, { cwd: "/srv" });

  expect(asked.map(({ on }) => on)).toEqual([
    { kind: "start", start: { program: "vim", args: ["a.txt"], cwd: "/srv" } },
  ]);
});

test.each<[options: unknown, message: string]>([
  [42, "The options of connect must be an object (got number). "],
  [null, "The options of connect must be an object (got null). "],
  [{ stateDirectory: 5 }, "stateDirectory must be a string (got number). "],
  [{ project: ["/srv"] }, "project must be a string (got an array). "],
  [{ command: "limpet" }, "command must be an array of strings (got string). "],
  [{ reach: "all" }, 'reach is "all". Use one of: project, user.'],
  [{ asks: true }, "asks is boolean. Use one of: terminal, session, nobody."],
])("a host is not connected to with wrong options: %j", async (options, message) => {
  expect(await errorOf(() => connect(options as never))).toEqual({
    code: "BAD_OPTION",
    message: expect.stringContaining(message),
  });
});

test.each<[call: string, args: readonly unknown[], message: string]>([
  ["send", [42], "text must be a string (got number). "],
  ["paste", [undefined], "text must be a string (got undefined). "],
  ["press", [42], "keys must be a string or an array of strings (got number). "],
  ["press", [["Up", 5]], "keys[1] must be a string (got number). "],
  ["write", [42], "input must be a string or bytes (got number). "],
  ["record", [{ file: 5 }], "file must be a string (got number). "],
  ["wait", [{ timeoutMs: "5s" }], 'timeoutMs is "5s". '],
  ["wait", [{ signal: new AbortController() }], "signal must be an AbortSignal (got AbortController). "],
])("an argument of %s with the wrong type is refused by its name: %j", async (call, args, message) => {
  expect(await errorOf(() => unchecked(session)[call]?.(...args))).toEqual({
    code: "BAD_OPTION",
    message: expect.stringContaining(message),
  });
});

test.each<[call: string, args: readonly unknown[], message: string]>([
  ["wait", [{ timeout: 5 }], 'wait has no option "timeout". Did you mean timeoutMs?'],
  ["wait", [{ timeout_ms: 5 }], 'wait has no option "timeout_ms". Did you mean timeoutMs?'],
  ["send", ["x", { Echo: true }], 'send has no option "Echo". Did you mean echo?'],
  ["exited", [{ timeoutMs: 5 }], 'exited has no option "timeoutMs". It takes: signal.'],
  ["close", [{ "a\nb": 1 }], 'close has no option "a\\nb". It takes: force.'],
])("an option that %s does not have is refused, with the one that was meant: %j", async (call, args, message) => {
  expect(await errorOf(() => unchecked(session)[call]?.(...args))).toEqual({ code: "BAD_OPTION", message });
});

test.each<[call: string, args: readonly unknown[], message: string]>([
  ["run", ["make", { timeout: 5 }], 'run has no option "timeout". Did you mean timeoutMs?'],
  ["open", ["cat", { program: "cat" }], 'open has no option "program". It takes: '],
  ["open", [{ program: "cat", arg: [] }], 'open has no option "arg". Did you mean args?'],
  ["openShell", [{ dir: "/" }], 'openShell has no option "dir". It takes: shell, startFiles, cwd, env, name.'],
  ["list", [{ end: true }], 'list has no option "end". Did you mean ended?'],
])("an option that %s does not have is refused before anything is started: %j", async (call, args, message) => {
  expect(await errorOf(() => unchecked(terminals)[call]?.(...args))).toEqual({
    code: "BAD_OPTION",
    message: expect.stringContaining(message),
  });
});

test.each<[sandbox: unknown, message: string]>([
  [{ files: "readonly" }, "sandbox is \"{ files: 'readonly' }\", which is not a sandbox. "],
  [{ files: "workspace", network: "of" }, "which is not a sandbox. "],
  [{ files: "workspace", netwrk: "off" }, "which is not a sandbox. "],
  [{ files: "read-only", with: "bwarp" }, "which is not a sandbox. "],
  [{ files: "workspace", network: false }, "which is not a sandbox. "],
  [{}, "which is not a sandbox. "],
  ["none", 'sandbox is "none", which is not a sandbox. Use "workspace", "read-only", or an object such as '],
  [true, "sandbox is boolean, which is not a sandbox. "],
  [null, "sandbox is null, which is not a sandbox. "],
])(
  "a mistake in a sandbox is refused, so that no program has more rights than were meant: %j",
  async (sandbox, message) => {
    for (const call of ["run", "open"]) {
      expect(await errorOf(() => unchecked(terminals)[call]?.("true", { sandbox }))).toEqual({
        code: "BAD_OPTION",
        message: expect.stringContaining(message),
      });
    }
  },
);

test.each<[options: object, message: string]>([
  [{ tty: "no" }, "tty must be true or false (got string). "],
  [{ login: 1 }, "login must be true or false (got number). "],
  [{ cwd: 5 }, "cwd must be a string (got number). "],
  [{ size: [80, 24] }, "size must be an object such as { cols: 80, rows: 24 } (got an array). "],
  [{ limits: "1G" }, 'limits must be an object such as { memory: "2G" } (got string). '],
])("how a program is started is checked by type: %j", async (options, message) => {
  for (const call of ["run", "open"]) {
    expect(await errorOf(() => unchecked(terminals)[call]?.("true", options))).toEqual({
      code: "BAD_OPTION",
      message: expect.stringContaining(message),
    });
  }
});

test.each(["workspace", { files: "workspace" }])("a word stands for the files of a sandbox: %j", async (sandbox) => {
  const { service, asked } = recordingService();

  await unchecked(new Terminals(service))["open"]?.("cat", { sandbox });

  expect(asked.map(({ on }) => on)).toEqual([
    { kind: "start", start: { command: "cat", sandbox: { files: "workspace" } } },
  ]);
});

test("an option that is not set may have any name", async () => {
  expect(await errorOf(() => unchecked(session)["wait"]?.({ timeout: undefined }))).toMatchObject({
    message: expect.stringContaining("the service was asked"),
  });
});

function recordingService(): { readonly service: SessionService; readonly asked: readonly TurnRequest[] } {
  const asked: TurnRequest[] = [];
  const service: Pick<SessionService, "turn"> = {
    turn: async (request) => {
      asked.push(request);
      return { session: { id: 1, name: null } } as TurnAnswer;
    },
  };
  return { service: service as SessionService, asked };
}

/** Its methods, each bound to it. */
function unchecked(object: object): Unchecked {
  const method =
    (name: string) =>
    (...args: readonly unknown[]) =>
      (object as Record<string, (...given: readonly unknown[]) => unknown>)[name]?.(...args);
  return new Proxy({} as Unchecked, { get: (_, name) => method(String(name)) });
}
