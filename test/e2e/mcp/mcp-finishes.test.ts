/** The exit code of a command that had to be answered, through the host, while the server watches every session. */
import { expect, onTestFinished, test } from "vitest";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostDirectory } from "../../support/host/host.ts";
import { RawClient } from "../../support/mcp.ts";

const TRIES = process.env["LIMPET_LONG"] ? 500 : 20;

/** Watches: log messages about every session, and a subscription to the output of each shell. */
async function watchedServer(): Promise<RawClient> {
  const server = new RawClient(["--state", hostDirectory()], { where: "host" });
  onTestFinished(() => endProcess(server.child.pid ?? 0));
  await server.initialize();
  await server.ask({ id: "level", method: "logging/setLevel", params: { level: "debug" } });
  return server;
}

test(`a command in a fresh shell that was answered has its exit code, ${TRIES} of ${TRIES} times, beside watches`, {
  timeout: 30_000 + TRIES * 5_000,
}, async () => {
  const server = await watchedServer();
  const call = async (n: number, name: string, args: Record<string, unknown>) =>
    (await server.tool(`${name} ${n}`, name, args)).result?.["structuredContent"] as Record<string, unknown>;
  const codes: unknown[] = [];

  for (let n = 0; n < TRIES; n += 1) {
    const { session_id: id, waiting_for } = await call(n, "run", { command: "read x && echo $x", shell: `shell ${n}` });
    expect(waiting_for).toBe("line");
    const uri = `limpet://sessions/${id}/output`;
    await server.ask({ id: `subscribe ${n}`, method: "resources/subscribe", params: { uri } });
    const answer = { session_id: id, chars: "J\n", yield_time_ms: 60_000 };
    const { command_exit_code, output } = await call(n, "write_stdin", answer);
    codes.push(command_exit_code);
    expect(output).toContain("J\n");
    await call(n, "close_session", { session_id: id, force: true });
  }

  expect(codes).toEqual(Array(TRIES).fill(0));
});
