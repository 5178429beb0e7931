import { createServer } from "node:net";
import { expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { LONG_MS, open, temporaryDirectory, testProgram } from "../../support/watching.ts";

const any = expect.any(Number);
const server = testProgram("web-server.mjs");

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (typeof address !== "object" || address === null) throw new Error("No port is free.");
  return address.port;
}

test.skipIf(!needs("python3"))("Python's http.server is seen to listen on the port that was asked for", async () => {
  const port = await freePort();
  const args = ["-m", "http.server", `${port}`, "--bind", "127.0.0.1"];
  const session = await open({ program: "python3", args, cwd: temporaryDirectory() });

  const yielded = await session.wait({ port, deadlineMs: LONG_MS });

  expect(yielded).toEqual({ reason: "listening", port, address: "127.0.0.1", cursor: any });
  await expect(fetch(`http://127.0.0.1:${port}/`).then(({ status }) => status)).resolves.toBe(200);
});

test("a silent node server is seen to listen on any port, on ::", async () => {
  const session = await open({ program: "node", args: [server, "0", "::"] });

  const yielded = await session.wait({ port: "any", deadlineMs: LONG_MS });

  expect(yielded).toEqual({ reason: "listening", port: any, address: "::", cursor: any });
});

test("a server in a grandchild that left the session is seen", async () => {
  const session = await open({ command: `bash -c 'setsid node ${server} 0 127.0.0.1 & wait'` });

  const yielded = await session.wait({ port: "any", deadlineMs: LONG_MS });

  expect(yielded).toMatchObject({ reason: "listening", address: "127.0.0.1" });
});

test("all ports of a session are part of its status, in their order", async () => {
  const [one, other] = [await freePort(), await freePort()];
  const session = await open({ command: `node ${server} ${one} 127.0.0.1 & exec node ${server} ${other} ::1` });
  await session.wait({ port: one, deadlineMs: LONG_MS });
  await session.wait({ port: other, deadlineMs: LONG_MS });

  const { listening, state } = await session.status();

  const entries = [
    { port: one, address: "127.0.0.1", pid: any },
    { port: other, address: "::1", pid: any },
  ];
  expect(listening).toEqual(entries.sort((a, b) => a.port - b.port));
  expect(state).toBe("running");
});

test("a port of ours, or of another session, is not taken for the session's", async () => {
  const port = await freePort();
  const other = await open({ program: "node", args: [server, `${port}`, "127.0.0.1"] });
  await other.wait({ port, deadlineMs: LONG_MS });
  const session = await open({ program: "sleep", args: ["60"] });

  const yielded = await session.wait({ port: "any", deadlineMs: 400 });

  expect(yielded.reason).toBe("deadline");
});

test("text that only claims to listen is not believed", async () => {
  const session = await open({ command: "echo 'Listening on http://localhost:3000'; exec sleep 60" });

  const yielded = await session.wait({ port: 3000, deadlineMs: 400 });

  expect(yielded.reason).toBe("deadline");
});

test("a server that fails to start ends the wait by its exit", async () => {
  const port = await freePort();
  const first = await open({ program: "node", args: [server, `${port}`, "127.0.0.1"] });
  await first.wait({ port, deadlineMs: LONG_MS });
  const second = await open({ program: "node", args: [server, `${port}`, "127.0.0.1"] });

  expect(await second.wait({ port, deadlineMs: LONG_MS })).toMatchObject({ reason: "exited" });
});
