/** The tour that `npm start` runs: what limpet does, on this machine, with the time that each part took. */
import { openSession, ShellError } from "limpet";

const patienceMs = 20_000;
const isColoured = process.stdout.isTTY && !process.env.NO_COLOR;
const paint = (code) => (text) => (isColoured ? `\x1b[${code}m${text}\x1b[0m` : text);
const [bold, dim, green] = [paint(1), paint(2), paint(32)];

console.log(`${bold("limpet")}: programs in real terminals\n`);
await stop("A Python REPL keeps its state between calls", usePython);
await stop("A password prompt is recognised, not guessed", meetPassword);
await stop("A flood is cut, and the cut is counted", surviveFlood);
await stop("Closing ends the whole tree, orphans too", closeTree);
console.log(`\nRead on in ${bold("docs/sessions.md")}; smaller examples are in ${bold("examples/")}.`);

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
  if (session === undefined) return missingPython(openedMs);
  try {
    await until(session, />>> /);
    await session.write("x = 2 ** 100\n");
    const typedMs = performance.now();
    await session.write("x % 1_000_007\n");
    const [answer] = await until(session, /^\d+(?=\r?\n)/m);
    const tookMs = performance.now() - typedMs;
    const lines = [`${dim(">>>")} x = 2 ** 100`, `${dim(">>>")} x % 1_000_007`, answer];
    return { tookMs, of: "from the last line to its answer", lines };
  } finally {
    await session.close();
  }
}

function sayIfMissing(error) {
  if (error instanceof ShellError && error.code === "PROGRAM_NOT_FOUND") return undefined;
  throw error;
}

function missingPython(openedMs) {
  const lines = ["python3 is not installed here, and a ShellError says so. The tour goes on without it."];
  return { tookMs: performance.now() - openedMs, of: "to find that out", lines };
}

async function meetPassword() {
  // As sudo and ssh do it: echo off, then ask. The wording of the prompt plays no part.
  const ask = "stty -echo; printf 'Speak, friend: '; read -r word; stty echo; printf %s \"$word\" | wc -c; echo read";
  const openedMs = performance.now();
  const session = await openSession({ program: "sh", args: ["-c", ask] });
  try {
    const [prompt] = await until(session, /.+: $/);
    const { isCanonical, isEchoing } = session.terminalMode;
    const tookMs = performance.now() - openedMs;
    const kind = isCanonical && !isEchoing ? "it reads a line and shows nothing: a password" : "an ordinary question";
    await session.write("mellon\n");
    const [, count] = await until(session, /(\d+)\s+read/);
    const { text } = await session.readText();
    const where = text.includes("mellon") ? "and they are in the output" : "and none is in the output";
    const lines = [`"${prompt}" ${dim("→")} ${kind}`, `${count} letters typed and read, ${where}`];
    return { tookMs, of: "from the program's start until recognised", lines };
  } finally {
    await session.close();
  }
}

async function surviveFlood() {
  const rssBefore = process.memoryUsage.rss();
  const openedMs = performance.now();
  const session = await openSession({ program: "seq", args: ["1", "2500000"] });
  try {
    await session.ended;
    const tookMs = performance.now() - openedMs;
    const grown = process.memoryUsage.rss() - rssBefore;
    const printed = session.endCursor;
    // The beginning and the end are always kept; a reader that asks for the middle is told how much is missing.
    const head = await session.readText({ maxBytes: 14 });
    const tail = await session.readText({ from: printed - 18 });
    const { dropped } = await session.read({ from: 64 * 1024, maxBytes: 1 });
    const lines = [
      `${words(head.text)} ${dim("…")} ${words(tail.text)}`,
      `${megabytes(printed)} printed, ${megabytes(printed - dropped)} kept, exactly ${dropped} bytes dropped`,
      `${head.next + tail.next - tail.from} bytes read; this process grew by ${megabytes(grown)}`,
    ];
    return { tookMs, of: "for all of it", lines };
  } finally {
    await session.close();
  }
}

async function closeTree() {
  const command = `
    (setsid sleep 999 &)
    nohup sleep 998 >/dev/null 2>&1 &
    (trap '' HUP TERM; sleep 997) &
    echo started; wait`;
  const session = await openSession({ command, shell: "/bin/sh" });
  try {
    await until(session, /started/);
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

/** The match, as soon as the output has one. Nothing sleeps: each piece of output is looked at when it comes. */
async function until(session, pattern) {
  const decoder = new TextDecoder();
  let text = "";
  for await (const { bytes } of session.output({ signal: AbortSignal.timeout(patienceMs) })) {
    text += decoder.decode(bytes, { stream: true });
    const match = pattern.exec(text);
    if (match) return match;
  }
  throw new Error(`The program ended before ${pattern} came.`);
}

function words(text) {
  return text.trim().split(/\s+/).join(" ");
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
