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
    "the same table with other values",
    `[mcp_servers.limpet] # ours\ncommand = "old" # why\n\n[z]\na = 1\n`,
    `[mcp_servers.limpet] # ours\ncommand = "limpet" # why\nargs = ["mcp"]\n\n[z]\na = 1\n`,
  ],
  ["an empty table at the end", "[mcp_servers.limpet]", `[mcp_servers.limpet]\ncommand = "limpet"\nargs = ["mcp"]\n`],
  [
    "quoted names",
    `[ mcp_servers . "limpet" ]\ncommand = 'limpet'\nargs = [\n  "mcp",\n]\n`,
    `[ mcp_servers . "limpet" ]\ncommand = 'limpet'\nargs = [\n  "mcp",\n]\n`,
  ],
  ["a table below ours", `[mcp_servers.limpet.env]\nA = "1"\n`, `[mcp_servers.limpet.env]\nA = "1"\n\n${block}`],
  ["line ends of Windows", "a = 1\r\n", `a = 1\r\n\r\n${block.replaceAll("\n", "\r\n")}`],
])("a merge into %s", (_, before, after) => {
  expect(merge(before)).toBe(after);
  expect(merge(after)).toBe(after);
  const servers = read(after) as { mcp_servers: { limpet: object } };
  expect(servers.mcp_servers.limpet).toMatchObject(entry);
  expect(servers).toMatchObject(withoutOld(read(before)));
});

/** All that was there, but for what is ours to set. */
function withoutOld(before: unknown): object {
  const { mcp_servers: servers, ...rest } = before as { mcp_servers?: Record<string, Record<string, unknown>> };
  if (!servers) return rest;
  const { limpet, ...others } = servers;
  const { command: _command, args: _args, ...kept } = limpet ?? {};
  return { ...rest, mcp_servers: limpet ? { ...others, limpet: kept } : others };
}

test.each([
  ["a = 1\nb\n", "Line 2 is no TOML: a = is missing."],
  ['a = "open\nb = 1\n', "Line 1 is no TOML: a value is missing or not closed."],
  ["a = [1,\n2\n", "Line 3 is no TOML: a closing ] is missing."],
  ["[table\na = 1\n", "Line 1 is no TOML: a ] is missing."],
  ["a = 1 b = 2\n", "Line 1 is no TOML: something follows that does not belong there."],
  ["= 1\n", "Line 1 is no TOML: a key is missing."],
  ["x = 1\nmcp_servers = { limpet = {} }\n", "Line 2 writes mcp_servers.limpet in a form that is not edited here."],
  ['[mcp_servers]\nlimpet.command = "x"\n', "Line 2 writes mcp_servers.limpet in a form that is not edited here."],
  ["[[mcp_servers]]\na = 1\n", "Line 1 writes mcp_servers.limpet in a form that is not edited here."],
])("a file that cannot be changed safely, %j, is refused with its line", (text, message) => {
  expect(() => merge(text)).toThrow(message);
});
