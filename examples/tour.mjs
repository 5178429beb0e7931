/** The tour that `npm start` runs: what limpet does on this machine, and how long each part takes. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { open, openShell } from "limpet";
import { openSession } from "limpet/session";

const timeoutMs = 20_000;
/** A menu on the alternate screen, as installers draw it. */
const menuCode = `
  const items = ["Apple", "Banana", "Cherry"];
  let chosen = 0;
  const line = (item, row) => (row === chosen ? "\\x1b[7m " + item + " \\x1b[27m" : " " + item + " ");
  const draw = () => process.stdout.write("\\x1b[H\\x1b[2JPick one\\r\\n\\r\\n" + items.map(line).join("\\r\\n"));
  process.stdin.setRawMode(true).on("data", (key) => {
    chosen = (chosen + (String(key).endsWith("B") ? 1 : items.length - 1)) % items.length;
    draw();
  });
  process.stdout.write("\\x1b[?1049h\\x1b[?25l");
  draw();
`;
const server = 'require("node:http").createServer().listen(0, "127.0.0.1")';
const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, green] = [paint(1), paint(2), paint(32)];

console.log(`${bold("limpet")}: programs in real terminals\n`);
await show("A REPL keeps its state between calls", useRepl);
await show("A shell keeps its state, and every command has a result", useShell);
await show("limpet knows that a program asks for a password", answerPassword);
await show("limpet reads a menu and presses keys in it", driveMenu);
await show("limpet knows when a server listens", waitForServer);
await show("A flood of output is cut to what a model can read, and nothing is lost", surviveFlood);
await show("Closing a session ends every process it started", closeTree);
console.log(`\nRead on in ${bold("docs/")}. Small programs to start from are in ${bold("examples/")}.`);

/** Prints the lines that `work` returns, and the time of the part that counts. */
async function show(title, work) {
  const { tookMs, of, lines } = await work();
  console.log(`${green("•")} ${bold(title)}`);
  for (const line of lines) console.log(`    ${line}`);
  console.log(`    ${green(`${tookMs.toFixed(tookMs < 10 ? 1 : 0)} ms`)} ${dim(of)}`);
}

async function useRepl() {
  const repl = await open({ program: process.execPath, args: ["--interactive"] });
  try {
    // Each call returns the moment the REPL waits for the next line: no pattern, no fixed time.
    await repl.send("const x = 2n ** 100n\n", { timeoutMs });
    const typedMs = performance.now();
    const { text } = await repl.send("x % 1_000_007n\n", { timeoutMs });
    const tookMs = performance.now() - typedMs;
    return { tookMs, of: "from the line to its answer and the next prompt", lines: text.trimEnd().split("\n") };
  } finally {
    await repl.close();
  }
}

async function useShell() {
  const shell = await openShell({ cwd: "/" });
  try {
    const lines = [];
    let tookMs = 0;
    for (const command of ["cd /usr; name=limpet", 'echo "$name in $PWD"; false']) {
      const { output, exitCode, cwd, durationMs } = await shell.run(command, { timeoutMs });
      lines.push(`$ ${command} ${dim("→")} ${JSON.stringify(output)} ${dim(`exit code ${exitCode}, in ${cwd}`)}`);
      tookMs = durationMs;
    }
    return { tookMs, of: "for the second command", lines };
  } finally {
    await shell.close();
  }
}

async function answerPassword() {
  // As sudo and ssh do: turn the echo off, then ask. The words of the prompt do not matter.
  const ask = "stty -echo; printf 'Speak, friend: '; read -r word; stty echo; printf %s \"$word\" | wc -c; echo read";
  const openedMs = performance.now();
  const session = await open({ program: "sh", args: ["-c", ask] });
  try {
    const { text, waitingFor } = await session.wait({ timeoutMs });
    const tookMs = performance.now() - openedMs;
    const { match } = await session.send("mellon\n", { until: /(?<count>\d+)\s+read/, timeoutMs });
    const where = (await session.text()).includes("mellon")
      ? "and they are in the output"
      : "and none is in the output";
    const lines = [
      `"${text}" ${dim("→")} waits for a ${waitingFor}`,
      `${match?.groups.count} letters typed and read, ${where}`,
    ];
    return { tookMs, of: "from the start of the program until limpet knew", lines };
  } finally {
    await session.close();
  }
}

async function driveMenu() {
  const menu = await open({ program: process.execPath, args: ["--eval", menuCode], size: { cols: 30, rows: 6 } });
  try {
    await menu.screen({ until: "Banana", timeoutMs });
    await menu.wait({ timeoutMs });
    const pressedMs = performance.now();
    await menu.press("Down");
    const tookMs = performance.now() - pressedMs;
    const { text } = await menu.screen();
    const lines = text.split("\n").filter((line) => line.trim() !== "");
    return { tookMs, of: "from the key until the menu waited again; ⟦ ⟧ marks the selected item", lines };
  } finally {
    await menu.close({ force: true });
  }
}

async function waitForServer() {
  const openedMs = performance.now();
  const session = await open({ program: process.execPath, args: ["-e", server] });
  try {
    const { port } = await session.wait({ port: "any", timeoutMs });
    const tookMs = performance.now() - openedMs;
    return { tookMs, of: "from its start until it listened", lines: [`listens on port ${port}, and printed nothing`] };
  } finally {
    await session.close({ force: true });
  }
}

async function surviveFlood() {
  // limpet/session, to keep all output on disk; in a host that is the default.
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
  const session = await open(command, { shell: "/bin/sh" });
  try {
    await session.wait({ until: /started/, timeoutMs });
    const askedMs = performance.now();
    const { ended, by, left } = await session.close();
    const tookMs = performance.now() - askedMs;
    const how = by === "cgroup" ? "by their control group" : "by a search of /proc";
    const lines = [
      ended.map(({ name, signal }) => `${name} ${dim(`by ${signal.slice(3)}`)}`).join(", "),
      `${ended.length} ended, found ${how}; ${left.length} left`,
    ];
    return { tookMs, of: "to close, including the second that programs get to end by themselves", lines };
  } finally {
    await session.close();
  }
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
