import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { skipTestWithout } from "../../../test/support/needs.ts";
import { mergeToml } from "./merge-toml.ts";

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
  ["nothing but a comment", "# mine\n", `# mine\n\n${block}`],
  ["the largest number", "a = 9223372036854775807\n", `a = 9223372036854775807\n\n${block}`],
  ["line ends of Windows", "a = 1\r\n", `a = 1\r\n\r\n${block.replaceAll("\n", "\r\n")}`],
])("a merge into %s", (_, before, after) => {
  expect(merge(before)).toBe(after);
  expect(merge(after)).toBe(after);
  const servers = read(after) as { mcp_servers: { limpet: object } };
  expect(servers.mcp_servers.limpet).toMatchObject(entry);
  expect(servers).toMatchObject(read(before) as object);
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
  ['[mcp_servers.limpet] # ours\ncommand = "old" # why\n'],
  ["[mcp_servers.limpet]"],
  ["[mcp_servers.limpet]\ncommand = 5\n"],
  ["x = 1\nmcp_servers = { limpet = {} }\n"],
  ['mcp_servers = { other = { command = "x" } }\n'],
  ['[mcp_servers]\nlimpet.command = "x"\n'],
  ["[[mcp_servers]]\na = 1\n"],
  ['mcp_servers = "none"\n'],
])("a file with another entry, %j, is refused with the table to paste", (text) => {
  expect(() => merge(text)).toThrow(
    `The file already defines mcp_servers.limpet in another way, and limpet does not edit it. Replace it by hand with:\n\n${block.trimEnd()}`,
  );
});
