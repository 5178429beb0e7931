import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { skipTestWithout } from "../../../test/support/needs.ts";
import { hasToml, mergeToml, removeToml } from "./edit-toml.ts";

const entry = { command: "limpet", args: ["mcp"] };
const merge = (text: string) => mergeToml(text, ["mcp_servers", "limpet"], entry);
const block = '[mcp_servers.limpet]\ncommand = "limpet"\nargs = ["mcp"]\n';

/** What another reader of TOML makes of it. */
function read(text: string): unknown {
  skipTestWithout("python3");
  const script =
    "import sys, json, tomllib; print(json.dumps(tomllib.loads(sys.stdin.buffer.read().decode()), default=str))";
  return JSON.parse(execFileSync("python3", ["-c", script], { input: text, encoding: "utf8" }));
}

const everything = `# top
model = "o3" # mine
when = 1979-05-27 07:32:00
path = 'C:\\dir'
text = """
[mcp_servers.limpet]
# not a comment "" here
"""
list = [ # of words
  "a]", 'b[',
]
point = { x = 1, "y z" = [2, 3], s = "}" }

[mcp_servers.other] # a server
command = "x"
env = { "KEY" = "value" }

[[profiles]]
name = "one"
`;

test.each([
  ["an empty file", "", block],
  ["a file of all sorts", everything, `${everything}\n${block}`],
  ["a file without a last line end", "a = 1", `a = 1\n\n${block}`],
  [
    "quoted names",
    `[ mcp_servers . "limpet" ]\ncommand = 'limpet'\nargs = [\n  "mcp",\n]\n`,
    `[ mcp_servers . "limpet" ]\ncommand = 'limpet'\nargs = [\n  "mcp",\n]\n`,
  ],
  ["a table below ours", `[mcp_servers.limpet.env]\nA = "1"\n`, `[mcp_servers.limpet.env]\nA = "1"\n\n${block}`],
  [
    "another server as a dotted key",
    'mcp_servers.other.command = "x"\n',
    `mcp_servers.other.command = "x"\n\n${block}`,
  ],
  [
    "our entry as an inline table",
    `mcp_servers.limpet = { args = ["mcp"], command = 'limpet' } # mine\n`,
    `mcp_servers.limpet = { args = ["mcp"], command = 'limpet' } # mine\n`,
  ],
  ["our entry with other fields", `${block}env = { A = "1" }\n`, `${block}env = { A = "1" }\n`],
  [
    "an older entry, whose other keys and comments stay",
    `# mine\n[mcp_servers.limpet] # ours\n# how\n  'command' = "old#1" # why\nenabled = true\n\n# next\n[other]\n`,
    `# mine\n[mcp_servers.limpet] # ours\n# how\n  command = "limpet" # why\nenabled = true\nargs = ["mcp"]\n\n# next\n[other]\n`,
  ],
  ["an entry without a key", "[mcp_servers.limpet]", block],
  ["an entry with a value of another type", "[mcp_servers.limpet]\ncommand = 5\n", block],
  ["nothing but a comment", "# mine\n", `# mine\n\n${block}`],
  ["the largest number", "a = 9223372036854775807\n", `a = 9223372036854775807\n\n${block}`],
  ["line ends of Windows", "a = 1\r\n", `a = 1\r\n\r\n${block.replaceAll("\n", "\r\n")}`],
])("a merge into %s", (_, before, after) => {
  expect(merge(before)).toBe(after);
  expect(merge(after)).toBe(after);
  const servers = read(after) as { mcp_servers: { limpet: object } };
  expect(servers.mcp_servers.limpet).toMatchObject(entry);
  const { limpet: _ours, ...others } = (read(before) as { mcp_servers?: { limpet?: object } }).mcp_servers ?? {};
  expect(servers.mcp_servers).toMatchObject(others);
});

test("a byte order mark stays", () => {
  expect(merge("\uFEFFa = 1\n")).toBe(`\uFEFFa = 1\n\n${block}`);
});

test.each([
  ["a = 1\nb\n", "Line 2 is not valid TOML"],
  ['a = "open\nb = 1\n', "Line 1 is not valid TOML"],
  ["a = [1,\n2\n", "Line 3 is not valid TOML"],
  ["[table\na = 1\n", "Line 1 is not valid TOML"],
  ["a = 1 b = 2\n", "Line 1 is not valid TOML"],
  ["= 1\n", "Line 1 is not valid TOML"],
  ["a = 1\na = 2\n", "Line 2 is not valid TOML"],
  ['text = """\nopen', "Line 1 is not valid TOML"],
])("a broken file, %j, is refused with its line", (text, message) => {
  expect(() => merge(text)).toThrow(message);
});

test.each([
  ['[mcp_servers.limpet]\ncommand = "limpet"\nargs = [\n  "other", # why\n]\n'],
  ["x = 1\nmcp_servers = { limpet = {} }\n"],
  ['mcp_servers = { other = { command = "x" } }\n'],
  ['[mcp_servers]\nlimpet.command = "x"\n'],
  ["[[mcp_servers]]\na = 1\n"],
  ['mcp_servers = "none"\n'],
])("a file with another entry, %j, is refused with the table to paste", (text) => {
  expect(() => merge(text)).toThrow(
    `The file defines mcp_servers.limpet in a way that limpet does not edit. Replace it by hand with:\n\n${block.trimEnd()}`,
  );
});

test("numbers and lists are written as TOML has them, and found again", () => {
  const codex = { command: "limpet", tool_timeout_sec: 3_600, env_vars: ["A", "B"] };

  const text = mergeToml("", ["mcp_servers", "limpet"], codex);

  expect(text).toBe('[mcp_servers.limpet]\ncommand = "limpet"\ntool_timeout_sec = 3600\nenv_vars = ["A", "B"]\n');
  expect(mergeToml(text, ["mcp_servers", "limpet"], codex)).toBe(text);
  expect(read(text)).toEqual({ mcp_servers: { limpet: codex } });
});

const remove = (text: string) => removeToml(text, ["mcp_servers", "limpet"]);

test.each([
  ["an empty file", "", ""],
  ["a file without it", everything, everything],
  ["a file that has only it", block, ""],
  ["a file with a list over several lines", 'a = 1\n[mcp_servers.limpet]\nargs = [\n["x"]\n]\n', "a = 1\n"],
  ["a file of all sorts", `${everything}\n${block}`, `${everything}\n`],
  ["a file with line ends of Windows", `a = 1\r\n\r\n${block.replaceAll("\n", "\r\n")}`, "a = 1\r\n\r\n"],
  [
    "a file with tables below it and comments around it",
    `# mine\n${block}# inside\nenabled = true\n\n[mcp_servers.limpet.env]\nA = "1"\n\n# next\n[other]\nb = 2\n`,
    "# mine\n# next\n[other]\nb = 2\n",
  ],
  [
    "a file with other servers",
    `[mcp_servers.a]\nx = 1\n\n${block}\n[mcp_servers.b]\n`,
    "[mcp_servers.a]\nx = 1\n\n[mcp_servers.b]\n",
  ],
])("a removal from %s", (_, before, after) => {
  expect(remove(before)).toBe(after);
  expect(hasToml(after, ["mcp_servers", "limpet"])).toBe(false);
});

test.each([["mcp_servers.limpet = { command = 'x' }\n"], ['[mcp_servers]\nlimpet.command = "x"\n']])(
  "a file that has it in another way, %j, is left to its owner",
  (text) => {
    expect(() => remove(text)).toThrow(
      "The file defines mcp_servers.limpet in a way that limpet does not edit. Remove it by hand.",
    );
  },
);
