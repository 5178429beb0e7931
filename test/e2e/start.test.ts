/** What is loaded, rather than how long it takes: a busy machine cannot break it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { toolsOf } from "../../src/tools/profiles.ts";
import { INITIALIZE, MAIN } from "../support/mcp.ts";
import { programPath } from "../support/processes.ts";

interface Loaded {
  readonly files: readonly string[];
  readonly bytes: number;
  readonly parts: readonly string[];
}

interface Told {
  readonly tools: readonly { readonly name: string; readonly inputSchema: object }[];
}

/** Of a server that was only asked for its tools. */
async function loadedForTools(): Promise<Loaded & Told> {
  const server = spawn(process.execPath, ["--import", programPath("says-what-it-loaded.mjs"), MAIN, "mcp"]);
  const said = text(server.stderr);
  const ended = once(server, "close");
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  let told: Told = { tools: [] };
  for (const message of [INITIALIZE, { jsonrpc: "2.0", id: 1, method: "tools/list" }]) {
    server.stdin.write(`${JSON.stringify(message)}\n`);
    const answer = JSON.parse((await lines.next()).value);
    expect(answer).toMatchObject({ id: message.id, result: {} });
    told = answer.result;
  }
  server.stdin.end();
  await ended;
  return { ...(JSON.parse(await said) as Loaded), tools: told.tools };
}

test("a server has told its tools before it loads what patterns, pictures, hosts and terminals need", async () => {
  const { files, bytes, parts, tools } = await loadedForTools();

  expect(files.filter((path) => path.includes("node_modules"))).toEqual([]);
  // The engine for patterns alone would be 150,000 more.
  expect(bytes).toBeLessThan(520_000);
  for (const part of ["child_process", "crypto", "worker_threads", "zlib"]) expect(parts).not.toContain(part);
  // The build has made the schemas in advance.
  const made = toolsOf("all").map(({ name, inputSchema }) => ({
    name,
    inputSchema: { ...inputSchema, type: "object" },
  }));
  expect(tools.map(({ name, inputSchema }) => ({ name, inputSchema }))).toEqual(made);
});
