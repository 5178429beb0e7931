import { constants } from "node:os";
import { expect, test } from "vitest";
import { filterProgram, noticeProgram, type Processor, type Refusal } from "./syscall-filter.ts";

const X64: Processor = { audit: 0xc000003e, otherConventionFrom: 0x40000000 };
const ALLOW = 0x7fff0000;
const NOTIFY = 0x7fc00000;
const { EACCES, ENOSYS, EPERM } = constants.errno;
const REFUSALS: readonly Refusal[] = [
  { call: 41, errno: EACCES, tests: [{ index: 0, values: [2, 10, 16], isOther: true }] },
  {
    call: 41,
    errno: EPERM,
    tests: [
      { index: 0, values: [2, 10] },
      { index: 1, values: [1, 0x801], isOther: true },
    ],
  },
  { call: 16, errno: EPERM, tests: [{ index: 1, values: [0x5412, 0x541c] }] },
  { call: 44, errno: EPERM, tests: [{ index: 3, bits: 0x20000000 }] },
  { call: 165, errno: EPERM },
];

/** 0 if the call is allowed, else its error. */
function judge(call: number, args: readonly number[] = [], audit = X64.audit): number {
  const result = execute(filterProgram(REFUSALS, X64), { call, args, audit });
  return result === ALLOW ? 0 : result & 0xffff;
}

/** What the program returns if the kernel runs it. */
function execute(
  program: Buffer,
  {
    call,
    args = [],
    audit = X64.audit,
  }: { readonly call: number; readonly args?: readonly number[]; readonly audit?: number },
): number {
  let loaded = 0;
  for (let at = 0; ; at += 1) {
    const [code, value] = [program.readUInt16LE(at * 8), program.readUInt32LE(at * 8 + 4)];
    const [ifTrue, ifFalse] = [program.readUInt8(at * 8 + 2), program.readUInt8(at * 8 + 3)];
    if (code === 0x20) loaded = value === 0 ? call : value === 4 ? audit : (args[(value - 16) / 8] ?? 0);
    else if (code === 0x15) at += loaded === value ? ifTrue : ifFalse;
    else if (code === 0x45) at += loaded & value ? ifTrue : ifFalse;
    else if (code === 0x35) at += loaded >= value ? ifTrue : ifFalse;
    else return value;
  }
}

test("a call that nothing is said about is allowed", () => {
  expect([0, 1, 59, 231, 435].map((call) => judge(call))).toEqual([0, 0, 0, 0, 0]);
});

test("a call is refused with its error", () => {
  expect(judge(165)).toBe(EPERM);
});

test("a call is refused for some values of an argument", () => {
  expect([0x5401, 0x5412, 0x5413, 0x541c, 0x541d].map((request) => judge(16, [0, request]))).toEqual([
    0,
    EPERM,
    0,
    EPERM,
    0,
  ]);
});

test("a call is refused for all values but some", () => {
  expect([1, 2, 3, 10, 16, 17].map((family) => judge(41, [family, 1]))).toEqual([EACCES, 0, EACCES, 0, 0, EACCES]);
});

test("a call is refused if all tests of a rule hold", () => {
  const calls = [
    [2, 1],
    [2, 0x801],
    [2, 2],
    [10, 2],
    [16, 2],
  ];

  expect(calls.map((args) => judge(41, args))).toEqual([0, 0, EPERM, EPERM, 0]);
});

test("a call is refused for a bit of an argument", () => {
  expect([0, 0x4000, 0x20000000, 0x20004000].map((flags) => judge(44, [3, 0, 0, flags]))).toEqual([0, 0, EPERM, EPERM]);
});

test("after a test that does not hold, later rules still apply", () => {
  expect(judge(165, [2, 0x5401])).toBe(EPERM);
});

test("calls by another convention are refused, whatever they are", () => {
  expect(judge(1, [], 0x40000003)).toBe(ENOSYS);
  expect(judge(0x40000001)).toBe(ENOSYS);
});

test("one call is stopped, by the convention of the processor alone", () => {
  const program = noticeProgram(42, X64);
  const calls = [{ call: 42 }, { call: 41 }, { call: 43 }, { call: 42, audit: 0x40000003 }, { call: 0x40000000 + 42 }];

  expect(calls.map((each) => execute(program, each))).toEqual([NOTIFY, ALLOW, ALLOW, ALLOW, ALLOW]);
});
