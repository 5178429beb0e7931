/**
 * Sessions in the process of an MCP server. The thread of the disk needs a build.
 *
 * @own-process It puts its process on standby, which lasts until the process ends.
 */
import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readdirSync, readFileSync } from "node:fs";
import { open as openFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { LONG_MS, temporaryDirectory } from "../../../test/support/watching.ts";
import { startSession } from "../../service/turn/simple-turns.ts";
import { mcpSettings } from "../settings/settings.ts";
import { openAgentServer } from "./open-agent-server.ts";

/** More than Node has threads for files. */
const OPENS = 16;

/** Until the end of the test, everything that needs Node's pool of threads waits. */
function occupyPool(): void {
  const fifo = join(temporaryDirectory(), "fifo");
  execFileSync("mkfifo", [fifo]);
  // Opening it for reading hangs until somebody opens its other side.
  const opening = Array.from({ length: OPENS }, () => openFile(fifo, constants.O_RDONLY));
  onTestFinished(async () => {
    const both = openSync(fifo, constants.O_RDWR);
    for (const file of await Promise.all(opening)) await file.close();
    closeSync(both);
  });
}

/** All output on disk of sessions in this process. */
function journals(): string {
  const directories = readdirSync(tmpdir()).filter((name) => name.startsWith(`limpet-journals-${process.pid}-`));
  return directories
    .flatMap((name) =>
      readdirSync(join(tmpdir(), name), { recursive: true, encoding: "utf8" }).map((file) => [name, file] as const),
    )
    .filter(([, file]) => file.endsWith(".journal"))
    .map(([name, file]) => readFileSync(join(tmpdir(), name, file), "latin1"))
    .join("");
}

test("in-process, output reaches the disk while Node's pool of threads is busy", async () => {
  const home = temporaryDirectory();
  const { options, end } = await openAgentServer(mcpSettings({ isInProcess: true }, { HOME: home }));
  onTestFinished(end);
  const { id } = await startSession(options.sessions, {
    command: "read -r; echo prim''rose",
    shell: "/bin/bash",
    login: false,
  });

  occupyPool();
  const input = { strokes: [{ kind: "text", text: "\n" }] } as const;
  await options.sessions.turn({ caller: "test", on: { kind: "session", key: id }, input });

  await expect.poll(journals, { timeout: LONG_MS }).toContain("primrose");
});
