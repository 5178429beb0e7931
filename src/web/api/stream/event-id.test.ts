import { expect, test } from "vitest";
import { decodeEventId, encodeEventId, type PagePosition } from "./event-id.ts";

const terminal = { cursor: 12, order: 3, isAlternate: true, lacksMain: false, isWoven: true };

test.each<PagePosition>([
  { instance: "ab12", version: undefined, terminal: undefined },
  { instance: "ab12", version: 7, terminal: undefined },
  { instance: "ab12", version: 7, terminal: { ...terminal, key: "ssh:me@build,1/7 ü\n" } },
  { instance: "ab12", version: undefined, terminal: { ...terminal, key: "7", isAlternate: false, isWoven: false } },
])("an id says what it was made of: %j", (position) => {
  const id = encodeEventId(position);

  expect(id).toMatch(/^[\x21-\x7e]+$/);
  expect(decodeEventId(id)).toEqual(position);
});

test.each([null, "", "x y", "a,b", "a,1,7", "a,1,7,x,0,", "a,1,7,1,0,zz", "a,1,%ff,1,0,", "a,-1", "a,1,7,1e3,0,"])(
  "an id that we cannot have given is ignored: %j",
  (id) => {
    expect(decodeEventId(id)).toBeUndefined();
  },
);
