import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hostDirectory } from "../../support/host/host.ts";
import { connect, RawClient } from "../../support/mcp.ts";
import { temporaryDirectory } from "../../support/watching.ts";

test("a client that enables log messages receives one when a session starts to wait, and one when it ends", async () => {
  await using server = await connect("legacy", ["--in-process"]);
  const received: unknown[] = [];
  server.client.setNotificationHandler("notifications/message", ({ params }) => void received.push(params.data));
  await server.client.setLoggingLevel("info");
  // What an answer reports is not a message, so each thing happens after the answer before it.
  const folder = temporaryDirectory();
  const after = (name: string) => `until [ -e ${join(folder, name)} ]; do sleep 0.05; done`;
  const cmd = `trap '' INT; ${after("started")}; read -rsp 'Password: ' secret; ${after("typed")}; exit 3`;
  const { session_id: id } = await server.structured("exec_command", { cmd, login: false, yield_time_ms: 0 });

  writeFileSync(join(folder, "started"), "");
  await expect.poll(() => received).toEqual([`Session ${id} waits for input: password.`]);
  await server.call("write_stdin", { session_id: id, chars: "x\n", yield_time_ms: 0 });
  writeFileSync(join(folder, "typed"), "");
  await expect.poll(() => received.slice(1)).toEqual([`Session ${id} exited with code 3.`]);
});

test.each(["in-process", "host"] as const)(
  "a server with 30 sessions (%s) that it watches and waits for prints nothing on stderr",
  async (where) => {
    const server = new RawClient(where === "host" ? ["--state", hostDirectory()] : [], { where });
    let stderr = "";
    const started: number[] = [];
    server.child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    await server.initialize();
    await server.ask({ id: "level", method: "logging/setLevel", params: { level: "info" } });

    for (let n = 0; n < 30; n += 1) {
      const { result } = await server.tool(`start ${n}`, "exec_command", {
        cmd: "exec cat",
        login: false,
        yield_time_ms: 0,
      });
      const id = (result?.["structuredContent"] as { readonly session_id: number } | undefined)?.session_id ?? 0;
      const uri = `limpet://sessions/${id}/output`;
      await server.ask({ id: `subscribe ${n}`, method: "resources/subscribe", params: { uri } });
      started.push(id);
    }
    const { result } = await server.tool("wait", "wait_for", { events: ["exited"], deadline_ms: 50 });
    for (const id of started) await server.tool(`close ${id}`, "close_session", { session_id: id, force: true });
    await server[Symbol.asyncDispose]();

    expect([result?.["isError"] ?? false, stderr]).toEqual([false, ""]);
  },
);
