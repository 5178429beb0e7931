import { expect, test } from "vitest";
import { connect } from "../support/mcp.ts";

test("a client that enables log messages receives one when a session begins to wait, and one when it ends", async () => {
  await using server = await connect("legacy", ["--in-process"]);
  const received: unknown[] = [];
  server.client.setNotificationHandler("notifications/message", ({ params }) => void received.push(params.data));
  await server.client.setLoggingLevel("info");
  const cmd = "trap '' INT; sleep 0.5; read -rsp 'Password: ' secret; exit 3";
  const { session_id: id } = await server.structured("exec_command", { cmd, login: false, yield_time_ms: 0 });

  await expect.poll(() => received).toEqual([`Session ${id} waits for input: password.`]);
  await server.call("write_stdin", { session_id: id, chars: "x\n", yield_time_ms: 0 });
  await expect.poll(() => received.slice(1)).toEqual([`Session ${id} exited with code 3.`]);
});
