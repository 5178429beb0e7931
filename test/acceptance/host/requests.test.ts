/** Requests with a wrong value in any one field: the host refuses each with a code and goes on. */
import { expect, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { HELLO, openHost, RawHostClient } from "../../support/host/raw-host-client.ts";
import { approvalAsk } from "../../support/policy/approvals.ts";

const plain = { login: false, shell: "/bin/sh" };

test("no value in any field of any request brings back an error without a code, or ends the host", {
  timeout: 180_000,
}, async () => {
  const { directory, client } = await openHost();
  const { id } = await startSession(client, { command: "exec cat", ...plain });
  const raw = new RawHostClient(directory);
  raw.send(HELLO);
  const requests = validRequests(id).flatMap(([method, params]) =>
    variantsOf(params).map((variant) => ({ method, params: variant })),
  );

  for (const [index, request] of requests.entries()) raw.send({ jsonrpc: "2.0", id: 100 + index, ...request });
  const allIds = requests.map((_, index) => 100 + index);
  await raw.answers(allIds.filter((each) => !mayWait(requests[each - 100])));
  for (const [index] of requests.entries()) raw.send({ jsonrpc: "2.0", method: "cancel", params: { id: 100 + index } });

  const answers = await raw.answers(allIds);
  const bare = answers.flatMap(({ error }, index) =>
    error && error.data?.code === undefined && !/aborted/.test(error.message) ? [{ ...requests[index], error }] : [],
  );
  expect(bare).toEqual([]);
  expect((await client.find(id)).exit).toBeNull();
});

/** One of each kind, with every field. */
function validRequests(id: number): readonly [method: string, params: unknown][] {
  const caller = "x";
  const on = { kind: "session", key: id };
  const text = { from: 0, to: 1, maxTokens: 10, raw: true, fold: false, tag: "x", origin: "stdout" };
  const { from: _from, origin: _origin, ...unread } = text;
  const start = { command: "true", shell: "/bin/sh", login: false, cwd: "/", env: { A: "1" }, tty: true };
  const named = { size: { cols: 80, rows: 24 }, name: "fuzzed", reuse: true, answerQueries: false };
  const fresh = { cwd: "/", env: { A: "1" }, shell: "/bin/sh", startFiles: "rc" } as const;
  const run = {
    command: "true",
    shell: "fuzzed-shell",
    timeoutMs: 1_000,
    waitMs: 10,
    maxTokens: 10,
    fold: true,
    tag: "x",
    stdin: null,
    fresh,
  };
  const strokes = [
    { kind: "text", text: "a" },
    { kind: "key", name: "Enter" },
    { kind: "paste", text: "b" },
    { kind: "mouse", event: { kind: "click", row: 1, col: 1, button: "left" } },
  ];
  const events = { finishes: 0, hasEnded: false, prompt: null, ports: [] };
  const receipt = {
    requestId: "r",
    session: id,
    from: 0,
    to: 1,
    returns: 0,
    typedBefore: 0,
    discardsBefore: 0,
    eventsBefore: events,
    events,
  };
  const turns = [
    { on: { kind: "start", start: { ...start, ...named } } },
    { on: { kind: "run", run } },
    { on: { kind: "several", keys: [id, "fuzzed"] }, wait: { kind: "output", deadlineMs: 1 } },
    { on, skipUnread: true, input: { strokes, by: "agent" }, isWatch: false },
    { on, wait: { kind: "output", until: "x", from: 0, quietMs: 1, deadlineMs: 1, onInput: true, port: 80 } },
    { on, wait: { kind: "screen", until: "x", stableMs: 1, deadlineMs: 1 } },
    { on, read: { kind: "unread", ...unread } },
    { on, read: { kind: "text", ...text } },
    { on, read: { kind: "head", lines: 1, ...text } },
    { on, read: { kind: "tail", lines: 1, ...text } },
    {
      on,
      read: { kind: "search", pattern: "x", from: 0, to: 1, origin: "stdout", raw: true, context: 1, maxMatches: 1 },
    },
    { on, read: { kind: "screen", scrollback: 1, cells: true } },
  ];
  return [
    ...turns.map((turn): [string, unknown] => ["turn", { caller, ...turn }]),
    ["turn", { caller, requestId: "r", on }],
    ["acknowledge", { caller, receipt }],
    ["giveBack", { caller, requestId: "r" }],
    ["write", { key: id, input: "x", caller, by: "person" }],
    ["output", { key: id, from: 0 }],
    ["find", { key: id }],
    ["running", {}],
    ["list", { ended: true }],
    ["hold", { key: id, reason: "x" }],
    ["release", { key: id }],
    ["resize", { key: id, size: { cols: 80, rows: 24 } }],
    ["record", { key: id, file: "/nowhere/x", format: 2, from: "now", input: false }],
    ["stopRecording", { key: id, file: "/nowhere/x" }],
    ["close", { key: "no such session", force: true }],
    ["approvals.facts", { caller, to: "session", key: id }],
    ["approvals.ask", approvalAsk("true", { caller, requestId: "a", prefixes: [["true"]] })],
    ["approvals.decide", { number: 999, decision: { kind: "approve", scope: "once", by: "x" } }],
    ["approvals.wait", { caller, number: 1, deadlineMs: 1 }],
    ["approvals.withdraw", { caller, number: 1 }],
  ];
}

const WRONG: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  2 ** 53,
  { $number: "NaN" },
  { $number: "Infinity" },
  { $bytes: 5 },
  { $regexp: 5 },
  { $undefined: true },
  "",
  "\0",
  "x".repeat(5_000),
  [],
  [null],
  {},
  { __proto__: null, constructor: 1 },
];

/** Until it is cancelled. */
function mayWait(request: { readonly method: string; readonly params: unknown } | undefined): boolean {
  const { wait } = (request?.params ?? {}) as { readonly wait?: { readonly deadlineMs?: unknown } };
  return (
    request?.method === "output" ||
    request?.method === "approvals.wait" ||
    (wait !== undefined && wait?.deadlineMs !== 1)
  );
}

/** The value with each part of it replaced by what does not belong there, or left out. */
function variantsOf(value: unknown): readonly unknown[] {
  if (typeof value !== "object" || value === null) return WRONG;
  const inner = Object.entries(value).flatMap(([name, part]) => {
    const others = Object.entries(value).filter(([other]) => other !== name);
    const changedTo = (changed: unknown) => {
      const object = Object.fromEntries([...others, [name, changed]]);
      return Array.isArray(value) ? value.map((item, index) => (String(index) === name ? changed : item)) : object;
    };
    return [...variantsOf(part).map(changedTo), Object.fromEntries(others)];
  });
  return [...WRONG, ...inner];
}
