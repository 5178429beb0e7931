/** The tour that `npm start` runs: what limpet does, on this machine, with the time that each part took. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LimpetError } from "limpet";
import { encodeKey } from "limpet/keys";
import { screenOf, screenText, waitForScreen } from "limpet/screen";
import { openSession } from "limpet/session";
import { openShell } from "limpet/shell";

const deadlineMs = 20_000;
const server = 'require("node:http").createServer().listen(0, "127.0.0.1")';
const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, green] = [paint(1), paint(2), paint(32)];

console.log(`${bold("limpet")}: programs in real terminals\n`);
await stop("A Python REPL keeps its state between calls", usePython);
await stop("A shell keeps its state too, and every command has a result", useShell);
await stop("A password prompt is recognised, not guessed", meetPassword);
await stop("A menu is read and driven as a person would", driveMenu);
await stop("A server is up when it listens, whatever it prints", waitForServer);
await stop("A flood is cut to what a model can read, and nothing of it is lost", surviveFlood);
await stop("Closing ends the whole tree, orphans too", closeTree);
console.log(`\nRead on in ${bold("docs/")}; smaller examples are in ${bold("examples/")}.`);

/** Prints what the work tells: the time of the part that counts, what that part was, and some lines. */
async function stop(title, work) {
  const { tookMs, of, lines } = await work();
  console.log(`${green("•")} ${bold(title)}`);
  for (const line of lines) console.log(`    ${line}`);
  console.log(`    ${green(`${tookMs.toFixed(tookMs < 10 ? 1 : 0)} ms`)} ${dim(of)}`);
}

async function usePython() {
  const openedMs = performance.now();
  const session = await openSession({ program: "python3", args: ["-q"] }).catch(sayIfMissing);
  if (session === undefined) return missing("python3", openedMs);
  try {
    // Each wait returns the moment the REPL waits for the next line: no pattern, no fixed time.
    await session.wait({ deadlineMs });
    const reader = session.reader({ from: session.endCursor });
    await session.write("x = 2 ** 100\n");
    await session.wait({ deadlineMs });
    const typedMs = performance.now();
    await session.write("x % 1_000_007\n");
    await session.wait({ deadlineMs });
    const tookMs = performance.now() - typedMs;
    const { text } = await reader.next();
    return { tookMs, of: "from the last line to its answer and the next prompt", lines: text.trimEnd().split("\n") };
  } finally {
    await session.close();
  }
}

function sayIfMissing(error) {
  if (error instanceof LimpetError && error.code === "PROGRAM_NOT_FOUND") return undefined;
  throw error;
}

function missing(program, openedMs) {
  const lines = [`${program} is not installed here, and a LimpetError says so. The tour goes on without it.`];
  return { tookMs: performance.now() - openedMs, of: "to find that out", lines };
}

async function useShell() {
  const shell = await openShell({ cwd: "/" });
  try {
    const lines = [];
    let tookMs = 0;
    for (const command of ["cd /usr; name=limpet", 'echo "$name in $PWD"; false']) {
      const { output, exitCode, cwd, durationMs } = await shell.run(command, { timeoutMs: deadlineMs });
      lines.push(`$ ${command} ${dim("→")} ${JSON.stringify(output)} ${dim(`exit code ${exitCode}, in ${cwd}`)}`);
      tookMs = durationMs;
    }
    return { tookMs, of: "for the second command", lines };
  } finally {
    await shell.close();
  }
}

async function driveMenu() {
  const openedMs = performance.now();
  const args = ["--menu", "Pick one", "10", "24", "2", "a", "Apple", "b", "Banana"];
  const size = { cols: 30, rows: 12 };
  const session = await openSession({ program: "whiptail", args, size }).catch(sayIfMissing);
  if (session === undefined) return missing("whiptail", openedMs);
  try {
    const screen = screenOf(session);
    await waitForScreen(session, { until: "Banana", deadlineMs });
    await session.wait({ deadlineMs });
    const pressedMs = performance.now();
    await session.write(encodeKey("Down", session.keyModes));
    await session.wait({ deadlineMs });
    const tookMs = performance.now() - pressedMs;
    const text = screenText(await screen.snapshot());
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return { tookMs, of: "from the key until the screen had changed; ⟦ ⟧ is what is selected", lines };
  } finally {
    await session.discard({ force: true });
  }
}

async function meetPassword() {
  // As sudo and ssh do it: echo off, then ask. The wording of the prompt plays no part.
  const ask = "stty -echo; printf 'Speak, friend: '; read -r word; stty echo; printf %s \"$word\" | wc -c; echo read";
  const openedMs = performance.now();
  const session = await openSession({ program: "sh", args: ["-c", ask] });
  try {
    const { waitingFor, evidence } = await session.wait({ deadlineMs });
    const tookMs = performance.now() - openedMs;
    await session.write("mellon\n");
    const { groups } = await session.wait({ until: /(?<count>\d+)\s+read/, deadlineMs });
    const { text } = await session.text();
    const where = text.includes("mellon") ? "and they are in the output" : "and none is in the output";
    const lines = [
      `"${text.slice(0, text.indexOf(":") + 2)}" ${dim("→")} waits for a ${waitingFor}: ${evidence}`,
      `${groups.count} letters typed and read, ${where}`,
    ];
    return { tookMs, of: "from the program's start until recognised", lines };
  } finally {
    await session.close();
  }
}

async function surviveFlood() {
  const stateDirectory = await mkdtemp(join(tmpdir(), "limpet-tour-"));
  const rssBefore = process.memoryUsage.rss();
  const openedMs = performance.now();
  const command = "seq 1 1000000; echo 'error: the disk is full'; seq 1000001 2000000";
  const session = await openSession({ command, shell: "/bin/sh", stateDirectory });
  try {
    await session.ended;
    const tookMs = performance.now() - openedMs;
    const grown = process.memoryUsage.rss() - rssBefore;
    const { text, originalTokenCount } = await session.text({ maxTokens: 40, fold: false });
    const searchedMs = performance.now();
    const [found] = (await session.grep("error")).lines;
    const lines = [
      text.trimEnd().split("\n").join(" "),
      `${megabytes(session.endCursor)} printed: ${originalTokenCount} tokens cut to 40; this process grew by ${megabytes(grown)}`,
      `the one line that matters: ${found.line}: ${found.text} ${dim(`(found in ${(performance.now() - searchedMs).toFixed(0)} ms)`)}`,
    ];
    return { tookMs, of: "for all of it", lines };
  } finally {
    await session.discard();
    await rm(stateDirectory, { recursive: true });
  }
}

async function closeTree() {
  const command = `
    (setsid sleep 999 &)
    nohup sleep 998 >/dev/null 2>&1 &
    (trap '' HUP TERM; echo started; sleep 997) &
    wait`;
  const session = await openSession({ command, shell: "/bin/sh" });
  try {
    await session.wait({ until: /started/, deadlineMs });
    const askedMs = performance.now();
    const { ended, by, left } = await session.close({ graceMs: 400 });
    const tookMs = performance.now() - askedMs;
    const how = by === "cgroup" ? "by their control group" : "by a search of /proc";
    const lines = [
      ended.map(({ name, signal }) => `${name} ${dim(`by ${signal.slice(3)}`)}`).join(", "),
      `${ended.length} ended, found ${how}; ${left.length} left`,
    ];
    return { tookMs, of: "to close, of which 400 ms are the grace that was given", lines };
  } finally {
    await session.close();
  }
}

async function waitForServer() {
  const session = await openSession({ program: process.execPath, args: ["-e", server] });
  const openedMs = performance.now();
  try {
    const { address, port } = await session.wait({ port: "any", deadlineMs });
    const tookMs = performance.now() - openedMs;
    return {
      tookMs,
      of: "from its start until it listened",
      lines: [`listening on ${address} port ${port}, and it printed nothing`],
    };
  } finally {
    await session.close({ force: true });
  }
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
