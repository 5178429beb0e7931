import fc from "fast-check";
import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import { appendJson, mergeJson, removeJson } from "./edit-jsonc.ts";
import { hasJsonObject, parseJsonc, readJsonTree } from "./read-jsonc.ts";

const entry = { command: "limpet", args: ["mcp"] };
const path = ["mcpServers", "limpet"];
const merge = (text: string) => mergeJson(text, path, entry);

/** Our entry as it is printed, each line behind its indentation. */
function printed(indent: string, unit: string): string {
  const lines = [
    '"limpet": {',
    `${unit}"command": "limpet",`,
    `${unit}"args": [`,
    `${unit}${unit}"mcp"`,
    `${unit}]`,
    "}",
  ];
  return lines.map((line) => indent + line).join("\n");
}

test.each([
  ["an empty file", "", `{\n  "mcpServers": {\n${printed("    ", "  ")}\n  }\n}\n`],
  [
    "other settings, which stay",
    '{\n  "theme": "dark"\n}\n',
    `{\n  "mcpServers": {\n${printed("    ", "  ")}\n  },\n  "theme": "dark"\n}\n`,
  ],
  [
    "another server, comments and tabs",
    '{\n\t// mine\n\t"mcpServers": {\n\t\t// above\n\t\t"other": { "command":"x" } // keep me\n\t}\n}\n',
    `{\n\t// mine\n\t"mcpServers": {\n${printed("\t\t", "\t")},\n\t\t// above\n\t\t"other": { "command":"x" } // keep me\n\t}\n}\n`,
  ],
  [
    "an object with nothing but a comment",
    '{\n    "mcpServers": {\n        /* none yet */\n    }\n}\n',
    `{\n    "mcpServers": {\n${printed("        ", "    ")}\n        /* none yet */\n    }\n}\n`,
  ],
  [
    "trailing commas",
    '{\n  "mcpServers": {\n    "other": {},\n  },\n}\n',
    `{\n  "mcpServers": {\n${printed("    ", "  ")},\n    "other": {},\n  },\n}\n`,
  ],
  [
    "a file in one line",
    '{"a":1,  "b" : [1,2]}',
    `{\n  "mcpServers": {\n${printed("    ", "  ")}\n  },\n  "a":1,  "b" : [1,2]}`,
  ],
  [
    "a file with a byte order mark",
    '\uFEFF{\n  "a": 1\n}\n',
    `\uFEFF{\n  "mcpServers": {\n${printed("    ", "  ")}\n  },\n  "a": 1\n}\n`,
  ],
  [
    "an older entry, whose other fields and comments stay",
    '{\n  "mcpServers": {\n    "limpet": {\n      "command": "old", // why\n      "env": { "A":"1" } // mine\n    }\n  }\n}\n',
    '{\n  "mcpServers": {\n    "limpet": {\n      "args": [\n        "mcp"\n      ],\n      "command": "limpet", // why\n      "env": { "A":"1" } // mine\n    }\n  }\n}\n',
  ],
  [
    "line ends of Windows",
    '{\r\n  "mcpServers": {}\r\n}\r\n',
    `{\r\n  "mcpServers": {\r\n${printed("    ", "  ").replaceAll("\n", "\r\n")}\r\n  }\r\n}\r\n`,
  ],
])("a merge into %s", (_, before, after) => {
  expect(merge(before)).toBe(after);
  expect(merge(after)).toBe(after);
});

test("an entry that is written in another way stays as it is", () => {
  const text = '{"mcpServers":{"limpet":{"args":["mcp",/* the server */],"command":"limpet"}}}';

  expect(merge(text)).toBe(text);
});

test("a text inside a text is not structure", () => {
  const before = '{\n  "note": "}, \\"mcpServers\\": { // no",\n  "url": "http://x/*y*/"\n}\n';

  const after = merge(before);

  expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), mcpServers: { limpet: entry } });
});

test("whatever else a file holds has the same value and the same text after a merge", () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).filter((value) => !("mcpServers" in value));
  fc.assert(
    fc.property(object, fc.constantFrom("", "  ", "    ", "\t"), (value, indent) => {
      const before = JSON.stringify(value, undefined, indent);

      const after = merge(before);

      expect(JSON.parse(after)).toEqual({ ...JSON.parse(before), mcpServers: { limpet: entry } });
      expect(after.endsWith(before.slice(1).trimStart())).toBe(true);
      expect(merge(after)).toBe(after);
    }),
  );
});

test("a key named __proto__ in the file stays what it is", () => {
  const after = merge('{"__proto__": {"a": 1}}');

  expect(after).toContain('"__proto__": {"a": 1}');
  expect(Object.hasOwn(JSON.parse(after), "mcpServers")).toBe(true);
});

test("an object is found behind comments, and only where it is", () => {
  const text = '// top\n{ "a": { /* b */ "b": {}, "c": 1 } }';

  expect([["a"], ["a", "b"], ["b"], ["a", "x"]].map((at) => hasJsonObject(text, at))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test.each([
  ['{\n  "a": 1\n  "b": 2\n}', "Line 3 is not valid JSON (comma expected). Fix it and try again."],
  ['{\n  "a": tru\n}', "Line 2 is not valid JSON (invalid symbol)."],
  ["{\n  a: 1\n}", "Line 2 is not valid JSON (invalid symbol)."],
  ['{\n  "a"\n: 1,\n "b" 2\n}', "Line 4 is not valid JSON (colon expected)."],
  ['{"a": [1,\n2', "Line 2 is not valid JSON (close bracket expected)."],
  ['{}\n{"a": 1}', "Line 2 is not valid JSON (end of file expected)."],
  ['{"a": "open\n"}', "Line 1 is not valid JSON (unexpected end of string)."],
  ['{"a": 1 /* open', "Line 1 is not valid JSON (unexpected end of comment)."],
  ["\u0000", "Line 1 is not valid JSON (invalid symbol)."],
  ['{\n"mcpServers": []}', '"mcpServers" is not an object (line 2). Make it one and try again.'],
  ['{"mcpServers": {\n"limpet": null}}', '"mcpServers.limpet" is not an object (line 2).'],
  ["[]", "The file is not an object (line 1)."],
  ['{"mcpServers": {"limpet": {},\n"limpet": {}}}', 'Line 2 repeats the key "limpet".'],
])("a broken file %j is refused with its line", (text, message) => {
  expect(() => merge(text)).toThrow(LimpetError);
  expect(() => merge(text)).toThrow(message);
});

const remove = (text: string) => removeJson(text, path);

test.each([
  ["an empty file", "", ""],
  ["a file without it", '{ "a": 1 }', '{ "a": 1 }'],
  ["the only entry", '{\n  "mcpServers": {\n    "limpet": {}\n  }\n}\n', '{\n  "mcpServers": {\n  }\n}\n'],
  ["a trailing comma", '{\n  "mcpServers": {\n    "limpet": {},\n  },\n}\n', '{\n  "mcpServers": {\n  },\n}\n'],
  ["the first of two", '{"mcpServers":{"limpet":{"command":"x"}, "a":{}}}', '{"mcpServers":{ "a":{}}}'],
  ["the last of two", '{"mcpServers":{"a":{} , "limpet":{"command":"x"}}}', '{"mcpServers":{"a":{}  }}'],
  [
    "comments around it",
    '{\n  "mcpServers": {\n    // above\n    "limpet": {\n      "command": "x"\n    }, // ours\n    // next\n    "a": {} // keep\n  }\n}\n',
    '{\n  "mcpServers": {\n    // above\n     // ours\n    // next\n    "a": {} // keep\n  }\n}\n',
  ],
  [
    "the last entry with comments",
    '{\n\t"mcpServers": {\n\t\t"a": {}, // keep\n\t\t// ours\n\t\t"limpet": {}\n\t\t// last\n\t}\n}\n',
    '{\n\t"mcpServers": {\n\t\t"a": {} // keep\n\t\t// ours\n\t\t// last\n\t}\n}\n',
  ],
  ["a comma behind a comment", '{"mcpServers":{"limpet":{} /* x */ , "a":{}}}', '{"mcpServers":{ /* x */  "a":{}}}'],
  [
    "line ends of Windows",
    '{\r\n  "mcpServers": {\r\n    "limpet": {},\r\n    "a": {}\r\n  }\r\n}\r\n',
    '{\r\n  "mcpServers": {\r\n    "a": {}\r\n  }\r\n}\r\n',
  ],
])("a removal from %s", (_, before, after) => {
  expect(remove(before)).toBe(after);
  expect(remove(after)).toBe(after);
});

test("a removal takes back what a merge has put in, and changes no other value", () => {
  const servers = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })).filter((value) => !("limpet" in value));
  fc.assert(
    fc.property(servers, fc.constantFrom("", "  ", "\t"), (value, indent) => {
      const before = JSON.stringify({ mcpServers: value, other: [value] }, undefined, indent);

      expect(JSON.parse(remove(merge(before)))).toEqual(JSON.parse(before));
    }),
  );
});

test("a file with a mistake is refused before anything is removed", () => {
  expect(() => remove('{\n  "a": 1\n  "b": 2\n}')).toThrow("Line 3 is not valid JSON");
});

test("the tree of a file has the line of each value", () => {
  expect(readJsonTree('{\n  // a\n  "a": [1,\n "x"],\n}')).toEqual({
    kind: "object",
    line: 1,
    members: [
      {
        key: "a",
        line: 3,
        node: {
          kind: "array",
          line: 3,
          items: [
            { kind: "value", line: 3, value: 1 },
            { kind: "value", line: 4, value: "x" },
          ],
        },
      },
    ],
  });
  expect(() => readJsonTree('{ "a": 1,\n"a": 2 }')).toThrow('Line 2 repeats the key "a".');
});

test.each([
  ["", { a: [1, 2] }],
  ["{}", { a: [1, 2] }],
  ['{ "a": [] }', { a: [1, 2] }],
  ['{ "a": [0] }', { a: [0, 1, 2] }],
  ['{\n  // mine\n  "b": 1,\n  "a": [\n    0, // zero\n  ],\n}\n', { b: 1, a: [0, 1, 2] }],
])("items are added at the end of a list in %j", (text, value) => {
  const edited = appendJson(text, "a", [1, 2]);

  expect(parseJsonc(edited)).toEqual(value);
  for (const comment of text.match(/\/\/.*/g) ?? []) expect(edited).toContain(comment);
});
