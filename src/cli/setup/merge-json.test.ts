import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import { mergeJson } from "./merge-json.ts";

const entry = { command: "limpet", args: ["mcp"] };
const path = ["mcpServers", "limpet"];
const merge = (text: string) => mergeJson(text, path, entry);

test.each([
  [
    "an empty file",
    "",
    '{\n  "mcpServers": {\n    "limpet": {\n      "command": "limpet",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
  ],
  [
    "other settings, which stay",
    '{\n  "theme": "dark"\n}\n',
    '{\n  "theme": "dark",\n  "mcpServers": {\n    "limpet": {\n      "command": "limpet",\n      "args": [\n        "mcp"\n      ]\n    }\n  }\n}\n',
  ],
  [
    "another server, comments and tabs",
    '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" } // keep me\n\t}\n}\n',
    '{\n\t// mine\n\t"mcpServers": {\n\t\t"other": { "command": "x" }, // keep me\n\t\t"limpet": {\n\t\t\t"command": "limpet",\n\t\t\t"args": [\n\t\t\t\t"mcp"\n\t\t\t]\n\t\t}\n\t}\n}\n',
  ],
  [
    "a trailing comma",
    '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n',
    '{\n  "mcpServers": {\n    "other": {},\n    "limpet": {\n      "command": "limpet",\n      "args": [\n        "mcp"\n      ]\n    }\n  },\n}\n',
  ],
  ["a file in one line", '{"a":1}', '{"a":1, "mcpServers": {"limpet":{"command":"limpet","args":["mcp"]}}}'],
  [
    "an older entry, whose other fields stay",
    '{\n  "mcpServers": {\n    "limpet": { "command": "old", "env": { "A": "1" } }\n  }\n}\n',
    '{\n  "mcpServers": {\n    "limpet": { "command": "limpet", "env": { "A": "1" }, "args": ["mcp"] }\n  }\n}\n',
  ],
  [
    "line ends of Windows",
    '{\r\n  "mcpServers": {}\r\n}\r\n',
    '{\r\n  "mcpServers": {\r\n    "limpet": {\r\n      "command": "limpet",\r\n      "args": [\r\n        "mcp"\r\n      ]\r\n    }\r\n  }\r\n}\r\n',
  ],
])("a merge into %s", (_, before, after) => {
  expect(merge(before)).toBe(after);
  expect(merge(after)).toBe(after);
});

test("a text inside a text is no structure", () => {
  const before = '{\n  "note": "}, \\"mcpServers\\": { // no",\n  "url": "http://x/*y*/"\n}\n';

  const after = merge(before);

  expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), mcpServers: { limpet: entry } });
});

test("a key named __proto__ in the file stays what it is", () => {
  const after = merge('{"__proto__": {"a": 1}}');

  expect(after).toContain('"__proto__": {"a": 1}');
  expect(Object.hasOwn(JSON.parse(after), "mcpServers")).toBe(true);
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', "Line 3 is no JSON: a comma or a closing brace is missing."],
  ['{\n  "a": tru\n}', "Line 2 is no JSON: a value is missing or cannot be read."],
  ["{\n  a: 1\n}", "Line 2 is no JSON: a name in double quotes is missing."],
  ['{\n  "a"\n: 1,\n "b" 2\n}', "Line 4 is no JSON: a colon is missing."],
  ['{"a": [1,\n2', "Line 2 is no JSON: a comma or a closing bracket is missing."],
  ['{}\n{"a": 1}', "Line 2 is no JSON: nothing may follow."],
  ['{"a": "open\n"}', "Line 1 is no JSON: a value is missing or cannot be read."],
  ['{\n"mcpServers": []}', '"mcpServers" is no object (line 2).'],
  ["[]", "The file is no object (line 1)."],
])("a broken file %j is refused with its line", (text, message) => {
  expect(() => merge(text)).toThrow(LimpetError);
  expect(() => merge(text)).toThrow(message);
});
