import { expect, test } from "vitest";
import { outerFields } from "./outer-fields.ts";

test.each([
  ['{"jsonrpc":"2.0","id":7,"method":"write","params":["xxx', 'xxx"]}', { jsonrpc: "2.0", id: 7, method: "write" }],
  [
    '{"method":"tools/call","params":{"x":"',
    ',\\"id\\":9"}, "jsonrpc":"2.0" , "id":"a,\\"b"}\r',
    { method: "tools/call", jsonrpc: "2.0", id: 'a,"b' },
  ],
  [' { "id" : 7 , "params":{"id":1,', '"y":{"z":2}}}', { id: 7 }],
  ['{"params":{"id":1,"method":"x",', '"id":8,"last":[3]}}', {}],
  ['{"params":{"id":1,', '"id":8', {}],
  ['["id",7,"', '","id":7}', {}],
  ["xxxxx", "xxxxx", {}],
])("of %j … %j there is %j", (head, tail, fields) => {
  expect(outerFields({ head, tail })).toEqual(fields);
});
