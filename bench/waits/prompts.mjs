/** How often a wait reports a prompt, and how often wrongly: a part of `../waiting.mjs`. */
import { openSession } from "../../dist/entries/session.js";

const DEADLINE_MS = 5_000;
const WORDS = ["line", "password", "key", "early", "none"];
/** Each program answers a line with silent work of random length, then prints that it is done, and waits again. */
const PROMPTING = [
  {
    kind: "key",
    rounds: 200,
    options: { program: "python3", args: ["-q"] },
    line: (round, s) => `import time; time.sleep(${s}); print("done-%d." % ${round})\n`,
  },
  {
    kind: "key",
    rounds: 150,
    options: { program: "bash", args: ["--norc"] },
    line: (round, s) => `sleep ${s}; printf 'done-%d.\\n' ${round}\n`,
  },
  {
    kind: "key",
    rounds: 150,
    options: { program: "node" },
    line: (round, s) =>
      `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${s * 1_000}); "done-" + ${round} + "."\n`,
  },
  {
    kind: "key",
    rounds: 100,
    options: { program: "sqlite3" },
    line: (round) => `select 'done-' || ${round} || '.' from (select count(*) from generate_series(1, 20000));\n`,
  },
  {
    kind: "line",
    rounds: 200,
    options: { command: 'while read -r n s; do sleep "$s"; printf "done-%d.\\nnext? " "$n"; done' },
    line: (round, s) => `${round} ${s}\n`,
  },
  {
    kind: "line",
    rounds: 100,
    options: {
      program: "python3",
      args: [
        "-c",
        'import time\nwhile True:\n n, s = input("next? ").split()\n time.sleep(float(s))\n print(f"done-{n}.")',
      ],
    },
    line: (round, s) => `${round} ${s}\n`,
  },
  {
    kind: "password",
    rounds: 100,
    options: {
      program: "python3",
      args: [
        "-c",
        'import time, getpass\nwhile True:\n n, s = getpass.getpass("Password: ").split()\n time.sleep(float(s))\n print(f"done-{n}.")',
      ],
    },
    line: (round, s) => `${round} ${s}\n`,
  },
];
const SILENT = [
  { program: "sleep", args: ["600"] },
  { program: "python3", args: ["-m", "http.server", "0", "--bind", "127.0.0.1"] },
  { program: "node", args: ["-e", "require('node:http').createServer().listen(0, '127.0.0.1')"] },
  { command: "while :; do echo tick; sleep 0.03; done" },
  { command: "touch log; exec tail -f log" },
  { command: "mkfifo pipe; exec cat <>pipe" },
  { command: "exec 9>lock; flock 9; flock lock true" },
  { command: "while :; do :; done" },
];

/**
 * A thousand prompts of different programs, each after silent work of random length. A prompt reported too early is
 * wrong, one not reported is missed. Also programs that wait for nothing, for which no prompt may be reported.
 */
export async function benchPrompts(folder) {
  const reported = {};
  const count = (expected, seen) => {
    reported[expected] ??= { line: 0, password: 0, key: 0, none: 0, early: 0 };
    reported[expected][seen] += 1;
  };
  await Promise.all(PROMPTING.map((entry) => promptOften({ ...entry, folder }, count)));
  for (const options of SILENT) await waitInVain({ cwd: folder, ...options }, count);
  console.log("prompts: expected and reported");
  console.table(reported);
  const rows = Object.entries(reported);
  const missed = rows.reduce((sum, [kind, row]) => sum + (kind === "none" ? 0 : row.none), 0);
  const wrong = rows.reduce(
    (sum, [kind, row]) =>
      sum + WORDS.reduce((part, word) => part + (word === kind || word === "none" ? 0 : row[word]), 0),
    0,
  );
  return [
    { name: "prompts missed", value: missed, limit: 0, unit: "" },
    { name: "prompts reported wrongly or too early", value: wrong, limit: 0, unit: "" },
  ];
}

async function promptOften({ kind, rounds, options, line, folder }, count) {
  const session = await openSession({ cwd: folder, ...options });
  await session.wait({ deadlineMs: DEADLINE_MS });
  for (let round = 0; round < rounds; round += 1) {
    const from = session.endCursor;
    await session.write(line(round, Math.random() * 0.02));
    const yielded = await session.wait({ deadlineMs: DEADLINE_MS });
    const { text } = await session.readText({ from });
    const isDone = text.includes(`done-${round}.`);
    if (yielded.reason !== "input") count(kind, "none");
    else count(kind, isDone ? yielded.waitingFor : "early");
  }
  await session.discard({ force: true });
}

async function waitInVain(options, count) {
  const session = await openSession(options);
  for (let round = 0; round < 10; round += 1) {
    const { reason, waitingFor } = await session.wait({ deadlineMs: 100 });
    count("none", reason === "input" ? waitingFor : "none");
  }
  await session.discard({ force: true });
}
