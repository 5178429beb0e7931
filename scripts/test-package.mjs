/** Packs the package as npm would publish it, installs it in an empty folder, and uses it there. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkBuilds } from "./package-builds.mjs";
import { Counts, report, run } from "./run.mjs";

/** The bundlers and runtimes are some hundred megabytes. */
const limitMs = 10 * 60_000;
const folder = mkdtempSync(join(tmpdir(), "limpet-package-"));
const counts = new Counts();
try {
  // Each step needs the previous one.
  (await step("packs", ["npm", "pack", "--pack-destination", folder])) &&
    (await step("installs in an empty folder", installCommand())) &&
    (await step("can be imported", evaluated(importCode()))) &&
    (await step("has each class once, whichever entry imports it", evaluated(identityCode()))) &&
    (await step("finds its command line to start a host", evaluated(hostCode()))) &&
    (await step("prints its version", ["npx", "--no-install", "limpet", "--version"])) &&
    (await step("answers one MCP call", ["bash", "-c", mcpCall()])) &&
    (await checkBuilds(folder, step));
} finally {
  for (const path of [folder, `${folder}-away`]) rmSync(path, { recursive: true, force: true });
}
report(counts);

function installCommand() {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
  return ["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", join(folder, String(tarball))];
}

function evaluated(code) {
  return [process.execPath, "--input-type=module", "--eval", code];
}

function importCode() {
  return `
    const names = Object.keys(await import("limpet"));
    console.log("exports: " + names.join(", "));
    const { tools } = (await import("limpet/openai")).createOpenAiTools();
    const { tools: same } = (await import("limpet/anthropic")).createAnthropicTools();
    const caret = { row: 0, col: 0, at: 0, isVisible: true };
    const screen = { cursor: 0, size: { cols: 4, rows: 1 }, lines: ["gold"], wrapped: [false], caret, title: "" };
    const png = await (await import("limpet/screen")).renderPng({ ...screen, isAlternate: false, scrollback: [], missedBytes: 0, marks: [] });
    if (Buffer.from(png).toString("latin1", 1, 4) !== "PNG") process.exitCode = 1;
    if (names.length === 0 || tools.length === 0 || tools.length !== same.length) process.exitCode = 1;
  `;
}

function identityCode() {
  return `
    import { SessionRegistry } from "limpet/session";
    import { LimpetError } from "limpet";
    import { createAnthropicTools } from "limpet/anthropic";
    import { LocalService } from "limpet/mcp";
    import { createOpenAiTools } from "limpet/openai";
    const profile = "none of ours";
    const errors = await Promise.all([
      new LocalService(new SessionRegistry()).find(7).catch((error) => error),
      ...[createOpenAiTools, createAnthropicTools].map(async (create) => create({ profile })).map((made) => made.catch((error) => error)),
    ]);
    if (!errors.every((error) => error instanceof LimpetError)) process.exitCode = 1;
  `;
}

function hostCode() {
  return `
    import { connectHost } from "limpet/service";
    const sessions = connectHost({ stateDirectory: ${JSON.stringify(join(folder, "state"))} });
    try {
      const start = { command: "echo hosted", login: false };
      const on = { kind: "start", start };
      const wait = { kind: "output", onInput: false };
      const { output } = await sessions.turn({ caller: "package", on, wait, read: { kind: "text" } });
      if (!output.text.includes("hosted")) process.exitCode = 1;
    } finally {
      await sessions.stopHost();
    }
  `;
}

/** Ends when the answer has arrived: a server whose stdin is closed does not answer. */
function mcpCall() {
  const clientInfo = { name: "package", version: "1" };
  const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
  const echo = { name: "exec_command", arguments: { cmd: "echo packed", login: false } };
  const lines = [
    { jsonrpc: "2.0", id: 1, method: "initialize", params: initialize },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: echo },
  ];
  const typed = lines.map((line) => JSON.stringify(line)).join("\n");
  return `coproc npx --no-install limpet mcp --in-process; echo '${typed}' >&"\${COPROC[1]}"; grep -m 1 'Output:.npacked' <&"\${COPROC[0]}"`;
}

/** `says` must be in the output. */
async function step(name, command, says = "") {
  const isPack = command[1] === "pack";
  const ran = await run(name, command, { ...(!isPack && { cwd: folder }), capture: true, limitMs });
  const isSaid = ran.output.includes(says);
  const result = { ...ran, ok: ran.ok && isSaid, how: ran.how || `does not say ${JSON.stringify(says)}` };
  if (result.ok) counts.pass();
  else counts.fail(`the package ${name}`);
  if (result.ok) console.log(`ok the package ${name}`);
  else console.error(`FAILED: the package ${name}: ${result.how}\n${result.output}`);
  const exports = /^exports: .*$/m.exec(result.output)?.[0];
  if (exports !== undefined) console.log(exports);
  return result.ok;
}
