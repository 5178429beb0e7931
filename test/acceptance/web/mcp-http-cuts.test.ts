/** The connection of an MCP client is cut at any point of a call. The client comes back and has missed nothing. */
import { expect, test, vi } from "vitest";
import { hostAt, hostDirectory } from "../../support/host/host.ts";
import { isLong, until } from "../../support/sessions.ts";
import { LONG_MS } from "../../support/watching.ts";
import {
  answerText,
  eventsOf,
  type RawRequest,
  RawSession,
  rawRequest,
  type ServedMcp,
  serveMcpHttp,
} from "../../support/web/mcp-http.ts";

const CUTS = isLong ? 200 : 20;
/** An answer with its head and the event before it. */
const MOST_BYTES = 1_100;

interface Scene {
  readonly served: ServedMcp;
  /** How many answers were given back to the host so far. */
  givenBack(): number;
  readonly session: RawSession;
  /** Of a program that prints each line that it reads. */
  readonly program: number;
  /** For requests. */
  nextId(): number;
}

async function openScene({ cmd = "exec cat" } = {}): Promise<Scene> {
  const sessions = hostAt(hostDirectory());
  const giveBack = vi.spyOn(sessions, "giveBack");
  const served = await serveMcpHttp({ sessions, structured: true });
  const session = await RawSession.open(served.url);
  let id = 0;
  const nextId = () => {
    id += 1;
    return id;
  };
  const started = await session.tool(nextId(), "exec_command", { cmd, login: false, yield_time_ms: 0 });
  const program = /session ID (\d+)/.exec(answerText(started, id) ?? "")?.[1];
  return { served, session, program: Number(program), nextId, givenBack: () => giveBack.mock.calls.length };
}

/** Reads until the text is there, as a client does that has lost an answer. Returns all that it read. */
async function readUntil({ session, program, nextId }: Scene, text: string): Promise<string> {
  let all = "";
  await until(
    async () => {
      const id = nextId();
      const read = await session.tool(id, "write_stdin", { session_id: program, chars: "", yield_time_ms: 0 });
      all += answerText(read, id) ?? "";
      return all.includes(text);
    },
    () => `${text} in ${JSON.stringify(all.slice(-500))}`,
  );
  return all;
}

test("a call that is cut anywhere is resumed, or its output is there for the next call", {
  timeout: 180_000,
}, async () => {
  const scene = await openScene();
  const { session, program, nextId, givenBack } = scene;
  const seen = { whole: 0, resumed: 0, again: 0 };
  for (let cut = 0; cut < CUTS; cut += 1) {
    const id = nextId();
    const line = `line-${cut}-end`;
    const typed = { session_id: program, chars: `${line}\n`, until: `${line}\\s+${line}` };
    const cutAfter = 1 + Math.floor((cut * MOST_BYTES) / CUTS);
    const givenBefore = givenBack();

    const first = await session.tool(id, "write_stdin", typed, { cutAfter });
    const { lastId } = eventsOf(first.body);
    if (answerText(first, id) !== undefined) {
      seen.whole += 1;
      expect(answerText(first, id)).toContain(line);
    } else if (lastId === undefined) {
      seen.again += 1;
      await readUntil(scene, line);
      // The call that was cut may still wait for its line, and gives it back only then.
      await until(() => givenBack() > givenBefore, `${line} was given back`);
    } else {
      seen.resumed += 1;
      expect(answerText(await session.resume(lastId), id)).toContain(line);
      const after = nextId();
      const next = await session.tool(after, "write_stdin", { session_id: program, chars: "", yield_time_ms: 0 });
      expect(answerText(next, after)).not.toContain(line);
    }
  }

  expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0);
});

test("a call that was given up returns its output when it ends, not what later calls have received", async () => {
  // Prints what it read before when it reads a line.
  const cmd = `bash -c 'read -r one; read -r two; echo "<$one>"; read -r three; echo "<$three>"; exec cat'`;
  const { served, session, program, nextId, givenBack } = await openScene({ cmd });
  const other = await RawSession.open(served.url, "bob");
  const write = (chars: string, more: Record<string, unknown>, cut?: RawRequest) =>
    session.tool(nextId(), "write_stdin", { session_id: program, chars, ...more }, cut);

  const long = { yield_time_ms: LONG_MS };
  await write("one\n", { until: "<one>", ...long }, { cutAfter: 1 });
  const later = write("", { until: "<three>", ...long });
  await write("two\n", { yield_time_ms: 0 });
  await until(() => givenBack() > 0, "the output of the call that was cut");
  // Typed by somebody who reads for himself: an answer to it may have what follows it already.
  await other.tool(1, "write_stdin", { session_id: program, chars: "three\n", yield_time_ms: 0 });
  const received = (await later).body;
  const next = await write("", { yield_time_ms: 0 });

  expect(received).toContain("<three>");
  expect(next.body).not.toContain("<three>");
});

test("an answer that is resumed and cut again is still there", async () => {
  const { session, program, nextId } = await openScene();
  const id = nextId();
  const typed = { session_id: program, chars: "held\n", until: "held\\s+held" };
  const first = await session.tool(id, "write_stdin", typed, { cutAfter: 450 });
  const { lastId } = eventsOf(first.body);

  for (const cutAfter of [1, 200, 300]) await session.resume(String(lastId), { cutAfter });
  const answer = await session.resume(String(lastId));

  expect(answerText(first, id)).toBeUndefined();
  expect(answerText(answer, id)).toContain("held");
});

test("a client that was killed comes back to its shell and to the output of its last answer", async () => {
  const scene = await openScene();
  const { served, session, program, nextId } = scene;
  const killed = new AbortController();
  const stream = session.request({ method: "GET", signal: killed.signal });
  await session.tool(nextId(), "run", { command: "kept=here" });
  const typed = { session_id: program, chars: "lost\n", until: "lost\\s+lost" };

  await session.tool(nextId(), "write_stdin", typed, { cutAfter: 500 });
  killed.abort();
  await stream;
  await until(async () => (await served.connections()) === 0, "the server has noticed");
  const next = await RawSession.open(served.url);

  await readUntil({ ...scene, session: next }, "lost");
  const id = nextId();
  expect(answerText(await next.tool(id, "run", { command: "echo $kept" }), id)).toContain("here");
  expect((await session.tool(99, "list_sessions", {})).status).toBe(404);
});

test("a call of 2026 that is cut gives its output to the next one", { timeout: 180_000 }, async () => {
  const { served, program } = await openScene();
  const body = (id: number, args: Record<string, unknown>) =>
    modernCall(id, "write_stdin", { session_id: program, ...args });
  const headers = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "write_stdin",
    authorization: "Bearer bob",
  };
  for (let cut = 0; cut < CUTS; cut += 1) {
    const line = `line-${cut}-end`;
    const typed = { chars: `${line}\n`, until: `${line}\\s+${line}` };
    const cutAfter = 1 + Math.floor((cut * 600) / CUTS);
    const first = await rawRequest(served.url, { headers, body: body(1, typed), cutAfter });
    if (first.body.includes(line)) continue;
    await until(async () => {
      const read = await rawRequest(served.url, { headers, body: body(2, { chars: "", yield_time_ms: 0 }) });
      return read.body.includes(line);
    }, `${line} in a later answer`);
  }
});

function modernCall(id: number, name: string, args: Record<string, unknown>) {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  return { jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args, _meta } };
}
