/** Who has read what: nothing is lost between calls, and nothing is given twice. */
import { expect, test } from "vitest";
import { behind } from "../support/behind-tools.ts";
import { until } from "../support/sessions.ts";
import { openTools, type Toolbox } from "../support/tools.ts";
import { LONG_MS } from "../support/watching.ts";

const plain = { login: false, shell: "/bin/sh" };

/** Not alike, so that nothing is folded. */
const WORDS = Array.from({ length: 30 }, (_, index) => `w${(index + 1) ** 2}`);

/** Prints `said` for every line it is given, without echo. */
const TALKER = 'stty -echo; echo ready; while read line; do echo "said $line"; done';

async function openTalker(tools: Toolbox): Promise<number> {
  const { structured } = await tools.call("exec_command", { cmd: TALKER, until: "ready", ...plain });
  const { session_id: id } = structured;
  await until(async () => (await behind(tools, id).waitsFor()) === "password", "it reads");
  return id;
}

/** Types behind the tools' back, and waits until the answer is there. */
async function say(tools: Toolbox, id: number, word: string): Promise<void> {
  const session = behind(tools, id);
  await session.write(`${word}\n`);
  await until(async () => (await session.text()).includes(`said ${word}\n`), word);
}

test("what came while nobody looked is given by the next call, once", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  await say(tools, id, "one");
  await say(tools, id, "two");

  const first = await tools.call("write_stdin", { session_id: id, chars: "" });
  const second = await tools.call("write_stdin", { session_id: id, chars: "" });

  expect(first.structured["output"]).toBe("said one\nsaid two\n");
  expect(second.structured["output"]).toBe("");
});

test("since now leaves out what came before", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  await say(tools, id, "old");

  const { structured } = await tools.call("write_stdin", {
    session_id: id,
    chars: "new\n",
    since: "now",
    until: "said new\\n",
    yield_time_ms: 10_000,
  });

  expect(structured["output"]).toBe("said new\n");
});

test("two callers each see every byte once", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  const heard: Record<string, string> = { ann: "", ben: "" };
  const read = { session_id: id, chars: "", yield_time_ms: 0 };

  for (let round = 0; round < 20; round += 1) {
    await say(tools, id, WORDS[round] ?? "");
    const caller = round % 3 === 0 ? "ann" : "ben";
    const { structured } = await tools.call("write_stdin", read, { caller });
    heard[caller] += structured["output"];
  }
  for (const caller of ["ann", "ben"]) {
    const { structured } = await tools.call("write_stdin", read, { caller });
    heard[caller] += structured["output"];
  }

  const all = ["ready", ...WORDS.slice(0, 20).map((word) => `said ${word}`)].map((line) => `${line}\n`).join("");
  expect(heard).toEqual({ ann: all, ben: all });
});

test("until looks at what this caller has not read, also where it came before the call", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  await say(tools, id, "early");

  const first = await tools.call("write_stdin", { session_id: id, chars: "", until: "said early" });
  const second = await tools.call("write_stdin", { session_id: id, chars: "", until: "said early" });

  expect(first.structured["yielded"]).toBe("matched");
  expect(second.structured["yielded"]).not.toBe("matched");
});

test("read_output and list_sessions count as no reading", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  await say(tools, id, "hello");

  await tools.call("read_output", { session_id: id });
  await tools.call("list_sessions");
  const { structured } = await tools.call("write_stdin", { session_id: id, chars: "" });

  expect(structured["output"]).toBe("said hello\n");
});

test("calls in parallel on one session get every byte once between them, and their input arrives in order", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  const said = WORDS.map((word) => `said ${word}`);

  const answers = await Promise.all(
    WORDS.map((word) => tools.call("write_stdin", { session_id: id, chars: `${word}\n`, yield_time_ms: 300 })),
  );
  await until(async () => (await behind(tools, id).text()).includes(`said ${WORDS.at(-1)}\n`), "all is said");
  const last = await tools.call("write_stdin", { session_id: id, chars: "", yield_time_ms: 0 });

  const given = [...answers, last].map(({ structured }) => String(structured["output"])).join("");
  const lines = given.split("\n").filter(Boolean);
  expect(lines.sort()).toEqual(said.toSorted());
  const whole = await tools.call("read_output", { session_id: id, grep: "^said" });
  expect(whole.structured["lines"].map(({ text }: { text: string }) => text)).toEqual(said);
});

test("calls on many sessions do not wait for each other", async () => {
  await using tools = openTools();
  const silent = await Promise.all(
    Array.from({ length: 8 }, () => tools.call("exec_command", { cmd: "exec sleep 1000", yield_time_ms: 0, ...plain })),
  );
  const stop = new AbortController();
  const waiting = silent.map(({ structured }) =>
    tools.raw("wait_for", { session_ids: [structured["session_id"]] }, { signal: stop.signal }).then(
      () => "ended",
      () => "aborted",
    ),
  );

  const quick = await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      tools.call("exec_command", { cmd: `echo ${index}`, yield_time_ms: LONG_MS, ...plain }),
    ),
  );

  expect(quick.map(({ structured }) => structured["output"])).toEqual(
    Array.from({ length: 32 }, (_, index) => `${index}\n`),
  );
  stop.abort();
  expect(await Promise.all(waiting)).toEqual(silent.map(() => "aborted"));
});

test("an abort ends the waiting with its reason, not the program, and loses no output", async () => {
  await using tools = openTools();
  const stop = new AbortController();
  const reason = new Error("enough");
  const waiting = tools.raw(
    "exec_command",
    { cmd: "echo before; exec sleep 1000", name: "sleeper", yield_time_ms: 60_000, ...plain },
    { signal: stop.signal },
  );
  const failed = expect(waiting).rejects.toBe(reason);
  const hasPrinted = async () => (await tools.sessions.list({ ended: false })).some(({ lastLine }) => lastLine !== "");
  await until(hasPrinted, "it has printed");

  stop.abort(reason);

  await failed;
  const { structured } = await tools.call("write_stdin", { session_id: "sleeper", chars: "" });
  expect(structured).toMatchObject({ running: true, output: "before\n" });
});

test("an answer with the screen leaves the output unread, and waits for what is not on it yet", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  const look = { session_id: id, screen: true, until: "said \\w+\\s", yield_time_ms: 10_000 };

  const first = await tools.call("write_stdin", { ...look, chars: "one\n" });
  const second = await tools.call("write_stdin", { ...look, chars: "two\n" });
  const plainly = await tools.call("write_stdin", { session_id: id });

  expect(first.structured["output"]).toContain("said one");
  expect(first.structured["output"]).not.toContain("said two");
  expect(second.structured["output"]).toContain("said two");
  expect(plainly.structured["output"]).toBe("said one\nsaid two\n");
});

test("what a cancelled call had read is given by the next one, whenever it was cancelled", async () => {
  await using tools = openTools();
  const id = await openTalker(tools);
  let seen = "";

  for (const [index, word] of WORDS.entries()) {
    await say(tools, id, word);
    const stop = new AbortController();
    const call = tools.call("write_stdin", { session_id: id }, { signal: stop.signal });
    const timer = setTimeout(() => stop.abort(), index % 12);
    seen += await call.then(
      ({ structured }) => structured["output"] as string,
      () => "",
    );
    clearTimeout(timer);
  }
  seen += (await tools.call("write_stdin", { session_id: id })).structured["output"];

  expect(seen).toBe(WORDS.map((word) => `said ${word}\n`).join(""));
});
