/** Values as models send them, such as numbers as text: what was meant is taken. */
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { expect, test } from "vitest";
import { z } from "zod";
import { coerceArgs } from "../../src/tools/args/coerce-args.ts";
import { directory, sessionKey, sessionName } from "../../src/tools/args/params.ts";
import { openTools } from "../support/tools.ts";

test("a call without parameters is one with an empty object", async () => {
  await using tools = openTools();

  for (const args of [undefined, null]) expect((await tools.raw("list_sessions", args)).isError).toBe(false);
});

test("numbers may come as numeric text, and ids too", async () => {
  await using tools = openTools();
  const started = await tools.call("exec_command", {
    cmd: "stty size; cat",
    login: false,
    yield_time_ms: " 40000 ",
    max_output_tokens: "100",
    cols: "100",
    rows: "30",
  });
  const id = String(started.structured["session_id"]);

  expect(started.structured["output"]).toContain("30 100");
  const resized = await tools.call("resize_session", { session_id: id, cols: "90", rows: "20" });
  expect(resized.structured).toEqual({ session_id: Number(id), cols: 90, rows: 20 });
  const waited = await tools.call("wait_for", { session_ids: [id], deadline_ms: "40000", quiet_ms: "40000" });
  expect(waited.structured["yielded"]).toBe("input");
  const read = await tools.call("read_output", { session_id: id, from: "0", head: "1", context: "0" });
  expect(read.structured["output"]).toBe("30 100\n");
});

test.each([
  ["null for what may be left out", { ended: null }, {}],
  ["null for what must be given", { id: null }, { id: null }],
  ["null where it is a value", { stdin: null }, { stdin: null }],
  ["an empty text where null is a value, too", { stdin: "" }, { stdin: "" }],
  ["an empty text for what may be left out", { text: "", key: " ", name: "  ", dir: "", keys: "" }, {}],
  ["an empty text for what must be given", { id: "" }, { id: "" }],
  ["an empty text for a number, a flag, a choice", { n: "", ended: "", format: "" }, { n: "", ended: "", format: "" }],
  ["blanks, where they may matter", { text: " a ", dir: "/ a " }, { text: " a ", dir: "/ a " }],
  [
    "blanks around names and ids",
    { id: " 1 ", key: "a ", name: " b", ids: [" c "] },
    { id: "1", key: "a", name: "b", ids: ["c"] },
  ],
  ["a number as text", { n: " -1.5 " }, { n: -1.5 }],
  ["what is no number", { n: "1e3" }, { n: "1e3" }],
  ["true as text", { ended: "true" }, { ended: true }],
  ["False as text", { ended: " False " }, { ended: false }],
  ["what is neither", { ended: "yes" }, { ended: "yes" }],
  ["a choice in capitals", { format: "PNG" }, { format: "png" }],
  ["no choice at all", { format: "gif" }, { format: "gif" }],
  ["a single text for a list", { keys: "Enter" }, { keys: ["Enter"] }],
  ["a single number for a list", { ids: 1 }, { ids: [1] }],
  ["a single choice for a list", { formats: "SVG" }, { formats: ["svg"] }],
  ["choices in a list", { formats: ["Png", "svg"] }, { formats: ["png", "svg"] }],
  ["an object for a list", { keys: { a: 1 } }, { keys: { a: 1 } }],
  ["an empty list", { ids: [] }, { ids: [] }],
  [
    "numbers and flags in an object of texts",
    { env: { A: 1, B: true, C: "c" } },
    { env: { A: "1", B: "true", C: "c" } },
  ],
  ["null in an object of texts", { env: { A: null } }, { env: { A: null } }],
  ["a list for an object", { env: [1] }, { env: [1] }],
  ["the home directory", { dir: "~" }, { dir: "/home/me" }],
  ["a directory in it", { dir: "~/a b" }, { dir: "/home/me/a b" }],
  ["a relative directory", { dir: "a/../b " }, { dir: "/project/b " }],
  ["what looks like the home of somebody else", { dir: "~you" }, { dir: "/project/~you" }],
  ["a tilde where no directory is meant", { text: "~" }, { text: "~" }],
  ["what nobody asked for", { other: null, constructor: "" }, { other: null, constructor: "" }],
])("of %s, what was meant is taken", (_case, args, meant) => {
  const shape = {
    id: sessionKey(),
    key: sessionKey().default("default").describe("a key"),
    ids: z.array(sessionKey()).min(1).optional(),
    name: sessionName().optional().describe("a name"),
    dir: directory().optional(),
    text: z.string().optional(),
    stdin: z.string().nullable().optional(),
    n: z.number().optional(),
    ended: z.boolean().default(false),
    format: z.enum(["text", "png"]).default("text"),
    formats: z.array(z.enum(["svg", "png"])).default(["svg"]),
    keys: z.array(z.string()).optional(),
    env: z.record(z.string(), z.string()).optional(),
  };

  expect(coerceArgs(shape, args, { home: "/home/me", cwd: () => "/project" })).toStrictEqual(meant);
});

test("a program gets what was meant, however it was sent", async () => {
  await using tools = openTools();
  const sent = { shell: "", workdir: "~", name: " it ", until: "", cols: null, tty: "True", login: "false" };
  const cmd = 'pwd; echo "$N $FLAG"; exec cat';
  const { structured } = await tools.call("exec_command", { cmd, env: { N: 1, FLAG: true }, ...sent });

  expect(structured["output"]).toContain(`${realpathSync(homedir())}\n1 true`);
  expect(structured["name"]).toBe("it");
  await tools.call("write_stdin", { session_id: " it", chars: "typed", keys: "Enter", since: "NOW", paste: null });
  const waited = await tools.call("wait_for", { session_ids: "it", events: "Input", until: null });
  expect(waited.structured["yielded"]).toBe("input");
  const screen = await tools.call("read_screen", { session_id: "it ", format: "SVG", until: "" });
  expect(screen.image?.mediaType).toBe("image/svg+xml");
});
