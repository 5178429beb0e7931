import { expect, test } from "vitest";
import { judgeOpen } from "./judge-open.ts";

const open = { epoch: 5, asked: 5, mayServe: true, isFull: false, isLate: false };

test.each([
  ["a host in the epoch that the door means accepts", open, { kind: "accept" }],
  ["a door that knows no epoch is accepted", { ...open, asked: undefined }, { kind: "accept" }],
  [
    "a door that means an earlier epoch is told ours",
    { ...open, asked: 4 },
    { kind: "refuse", why: "it runs in epoch 5" },
  ],
  ["a host leaves the answer to one in a later epoch", { ...open, asked: 6 }, { kind: "later epoch", epoch: 6 }],
  ["a host without its lease says nothing", { ...open, mayServe: false }, { kind: "silent" }],
  [
    "a door that has given up waiting gets no link",
    { ...open, isLate: true },
    { kind: "refuse", why: "it was read after its deadline" },
  ],
  ["a full host says so", { ...open, isFull: true }, { kind: "refuse", why: "it has too many links" }],
])("%s", (_, facts, verdict) => {
  expect(judgeOpen(facts)).toEqual(verdict);
});
