/** Packs the package as npm would publish it, installs it in an empty folder and globally, and uses it there. */
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkBuilds } from "./package-builds.mjs";
import { bytesIn, measureParts, readFigures, staleParts, writeParts } from "./package-sizes.mjs";
import { checkTrial } from "./package-trial.mjs";
import { Counts, report, run } from "./run.mjs";
import { describe, kill, listPids, read } from "./tests/proc.mjs";

/** The bundlers and runtimes are some hundred megabytes. */
const limitMs = 10 * 60_000;
/** A first `npx limpet` downloads this. CONTRIBUTING.md says what takes the room. */
const MOST_PACKED = 1_500_000;
const MOST_INSTALLED = 12_000_000;
/** A dry run: it needs no login and sends nothing. */
const PUBLISH = `said=$(npm publish --dry-run --ignore-scripts "$1" 2>&1) || { echo "$said"; exit 1; }
! printf '%s\\n' "$said" | grep -i 'npm warn' | grep -vE 'logged in|Unknown .* config'`;
const QUIETLY = ["--ignore-scripts", "--no-audit", "--no-fund"];
const folder = mkdtempSync(join(tmpdir(), "limpet-package-"));
const counts = new Counts();
/** The unprivileged user must be able to read it. */
chmodSync(folder, 0o755);
try {
  // Each step needs the previous one.
  (await step("packs", ["npm", "pack", "--pack-destination", folder])) &&
    (await step("could be published without a warning", ["sh", "-c", PUBLISH, "sh", tarball()])) &&
    (await step("installs in an empty folder", installCommand())) &&
    isSmall() &&
    isAsStated() &&
    (await step("can be imported", evaluated(importCode()))) &&
    (await step("has each class once, whichever entry imports it", evaluated(identityCode()))) &&
    (await step("finds its command line to start a host", evaluated(hostCode()))) &&
    (await step("prints its version", ["npx", "--no-install", "limpet", "--version"])) &&
    (await step("answers one MCP call", ["bash", "-c", mcpCall()])) &&
    (await step("installs globally", [
      "npm",
      "install",
      "-g",
      "--prefix",
      join(folder, "global"),
      ...QUIETLY,
      tarball(),
    ])) &&
    (await checkTrial(folder, { step, tell })) &&
    (await checkBuilds(folder, step));
} finally {
  endLeftovers();
  for (const path of [folder, `${folder}-away`]) rmSync(path, { recursive: true, force: true });
}
report(counts);

function installCommand() {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  return ["npm", "install", ...QUIETLY, tarball()];
}

function tarball() {
  return join(folder, String(readdirSync(folder).find((name) => name.endsWith(".tgz"))));
}

/** Prints what takes the space if it is too large. */
function isSmall() {
  const sizes = [
    ["tarball", statSync(tarball()).size, MOST_PACKED],
    ["installed package with its dependencies", bytesIn(join(folder, "node_modules")), MOST_INSTALLED],
  ];
  for (const [what, bytes, most] of sizes) {
    const size = `${what}: ${(bytes / 1e6).toFixed(2)} MB of ${most / 1e6}`;
    if (bytes <= most) counts.pass();
    else counts.fail(`the ${what} is too large`);
    console[bytes <= most ? "log" : "error"](`${bytes <= most ? "ok" : "FAILED:"} ${size}`);
  }
  return true;
}

/** The table in CONTRIBUTING.md has these sizes. */
function isAsStated() {
  const measured = measureParts(join(folder, "node_modules"));
  if (process.argv.includes("--write")) writeParts(measured);
  tell("the sizes in CONTRIBUTING.md are current", staleSizes(measured));
  return true;
}

function staleSizes(measured) {
  const stale = staleParts(measured, readFigures());
  return stale.length === 0 ? "" : `${stale.join(", ")}. Run npm run test:package -- --write.`;
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

/** What was started below the folder, and should have ended. */
function endLeftovers() {
  const left = listPids().filter((pid) => pid !== process.pid && read(`/proc/${pid}/cmdline`).includes(`${folder}/`));
  tell("nothing of the package is left running", left.length === 0 ? "" : describe(left));
  for (const pid of left) kill(pid);
}

function tell(claim, problem) {
  if (problem === "") counts.pass();
  else counts.fail(claim);
  console[problem === "" ? "log" : "error"](
    `${problem === "" ? "ok" : "FAILED:"} ${claim}${problem && `: ${problem}`}`,
  );
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
