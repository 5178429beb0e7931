import { expect, test } from "vitest";
import { OutputBarrier } from "./output-barrier.ts";

/** A terminal whose output is passed on by hand, and a clock. */
function relay() {
  const clock = { nowMs: 1_000 };
  const way: Buffer[] = [];
  let arrived = "";
  const barrier = new OutputBarrier({
    deliver: (bytes) => {
      arrived += Buffer.from(bytes).toString("latin1");
    },
    now: () => clock.nowMs,
  });
  const print = (bytes: string | Uint8Array) => way.push(Buffer.from(bytes as string, "latin1"));
  const write = (bytes: Uint8Array) => {
    way.push(Buffer.from(bytes));
    return bytes.length;
  };
  return {
    clock,
    barrier,
    print,
    write,
    way,
    hasPassed: (moment: string) => barrier.hasPassed(moment, write),
    passOn: (pieceBytes = Number.POSITIVE_INFINITY) => {
      const all = Buffer.concat(way.splice(0));
      for (let at = 0; at < all.length; at += pieceBytes) barrier.push(all.subarray(at, at + pieceBytes));
    },
    arrived: () => arrived,
  };
}

test("everything has arrived when the barrier behind it has, and the barrier is removed", () => {
  const { print, passOn, hasPassed, arrived } = relay();
  print("before");
  const first = hasPassed("reads");
  const second = hasPassed("reads");

  passOn();

  expect([first, second, hasPassed("reads"), arrived()]).toEqual([false, false, true, "before"]);
});

test.each([1, 2, 7, 27, 28, 29])("a barrier in pieces of %i bytes is removed, wherever it is", (pieceBytes) => {
  const { print, passOn, hasPassed, arrived } = relay();
  print("\x1b[3");
  hasPassed("one");
  print("1mred \x01\x02");
  passOn(pieceBytes);
  const isThere = hasPassed("one");
  hasPassed("two");
  print("é");
  passOn(pieceBytes);

  expect([isThere, hasPassed("two"), arrived()]).toEqual([true, true, "\x1b[31mred \x01\x02é"]);
});

test("a program that has run since needs a barrier of its own, which waits for the first", () => {
  const { clock, passOn, hasPassed, way } = relay();
  hasPassed("one");
  hasPassed("two");
  expect(way).toHaveLength(1);

  passOn();
  expect([hasPassed("one"), hasPassed("two")]).toEqual([true, false]);
  passOn();

  expect([hasPassed("two"), hasPassed("two")]).toEqual([true, true]);
  clock.nowMs += 60_000;
  expect(hasPassed("two")).toBe(true);
});

test("a barrier that the terminal has discarded is written again, and either of them counts", () => {
  const { clock, passOn, hasPassed, way, arrived } = relay();
  hasPassed("reads");
  const [first] = way.splice(0);
  clock.nowMs += 300;
  hasPassed("reads");
  expect(way).toHaveLength(1);

  passOn();

  expect(hasPassed("reads")).toBe(true);
  way.push(first as Buffer);
  passOn();
  expect(arrived()).toBe("");
});

test("output that is stuck keeps nobody from an answer for ever, even if the program runs meanwhile", () => {
  const { clock, hasPassed } = relay();
  for (let n = 0; n < 58; n += 1) {
    expect(hasPassed(String(n))).toBe(false);
    clock.nowMs += 260;
  }

  expect(hasPassed("last")).toBe(true);
});

test("what a full terminal has not taken is written later, and nothing of it is shown", () => {
  const { barrier, write, passOn, arrived } = relay();
  const room = [5, 0, 100];
  const slowly = (bytes: Uint8Array) => {
    const taken = bytes.subarray(0, room.shift() ?? 0);
    write(taken);
    return taken.length;
  };

  for (let n = 0; n < 3; n += 1) expect(barrier.hasPassed("reads", slowly)).toBe(false);
  passOn(4);

  expect([barrier.hasPassed("reads", slowly), arrived()]).toEqual([true, ""]);
});

test("a terminal that cannot be opened needs no barrier", () => {
  const { barrier } = relay();

  expect(barrier.hasPassed("reads", () => undefined)).toBe(true);
});

test("the beginning of a barrier is delivered at the end, if no more of it comes", () => {
  const { barrier, hasPassed, way, arrived } = relay();
  hasPassed("reads");
  const incomplete = (way[0] as Buffer).subarray(0, 9);
  barrier.push(Buffer.concat([Buffer.from("x"), incomplete]));
  const before = arrived();

  barrier.end();

  expect([before, arrived()]).toEqual(["x", `x${incomplete.toString("latin1")}`]);
});
