import { expect, test } from "vitest";
import { until } from "../support/sessions.ts";
import { openTools, type Toolbox } from "../support/tools.ts";
import { allText } from "../support/watching.ts";

/** Asks, shows what is typed as it comes, and nothing else. */
const asking = (questions: string) => `stty raw -echo; printf '${questions}'; printf 'asked\\r\\n'; exec cat -v`;

/** Clipboard, settings (DECRQSS), titles and their likes: answers to these can be chosen by whoever prints the question. */
const NEVER_ANSWERED = [
  "\\e]0;rm -rf x\\a",
  "\\e[21t",
  "\\e[20t",
  "\\e]52;c;?\\a",
  "\\eP$qm\\e\\\\",
  '\\eP$q"p\\e\\\\',
  "\\eP+q544e\\e\\\\",
  "\\e]4;1;?\\a",
  "\\e]11;?\\a",
  "\\e[>q",
  "\\e[18t",
  "\\e[?u",
  "\\005",
].join("");

/** What the program was typed up to `end`, which we type last. */
async function typedInto(tools: Toolbox, questions: string, args: object): Promise<string> {
  const started = await tools.call("exec_command", {
    cmd: asking(questions),
    shell: "/bin/bash",
    login: false,
    until: "asked",
    ...args,
  });
  const session = tools.registry.get(started.structured["session_id"]);
  const typed = async () => (await allText(session)).split("asked\r\n").at(-1) ?? "";
  if ("answer_queries" in args)
    await until(async () => (await typed()).includes("^[[0n"), "the last question is answered");
  await session.write("end");
  await until(async () => (await typed()).includes("end"), "all is typed");
  return await typed();
}

test("a program that asks for the position and the kind of its terminal gets both where that is asked for", async () => {
  await using tools = openTools();

  expect(await typedInto(tools, "\\e[3;5H\\e[6n\\e[c\\e[5n", { answer_queries: true })).toBe("^[[3;5R^[[?1;2c^[[0nend");
});

test("by default it gets no answer", async () => {
  await using tools = openTools();

  expect(await typedInto(tools, "\\e[6n\\e[c\\e[5n", {})).toBe("end");
});

test("what could be answered with text of the program's choice is never answered", async () => {
  await using tools = openTools();

  expect(await typedInto(tools, `${NEVER_ANSWERED}\\e[5n`, { answer_queries: true })).toBe("^[[0nend");
});

test("without a terminal there is nobody to ask", async () => {
  await using tools = openTools();

  expect(await tools.refusal("exec_command", { cmd: "true", tty: false, answer_queries: true })).toBe(
    "BAD_OPTION: answerQueries needs a terminal, but tty is false. Omit one of them.",
  );
});

test("answering goes on while a session lives, and ends with it", async () => {
  await using tools = openTools();
  const cmd =
    "stty raw -echo; printf 'ready\\r\\n'; while head -c 1 >/dev/null; do printf '\\e[6n'; head -c 6 | cat -v; done";
  const { structured } = await tools.call("exec_command", {
    cmd,
    shell: "/bin/bash",
    login: false,
    answer_queries: true,
    until: "ready",
  });
  const { session_id } = structured;
  const session = tools.registry.get(session_id);

  for (const column of [1, 8]) {
    await session.write("x");
    await until(async () => (await allText(session)).includes(`^[[2;${column}R`), `answered in column ${column}`);
  }
  await tools.call("close_session", { session_id, force: true });
  expect((await tools.call("list_sessions")).structured["sessions"]).toEqual([]);
});
