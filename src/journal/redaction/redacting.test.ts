import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import type { DiskJournal } from "../disk/disk-journal.ts";
import { OutputStore } from "../output-store.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const SECRET = "hunter2-Xy";

/** Keeps what would be on disk. */
class Paper {
  text = "";
  append(cursor: number, bytes: Uint8Array): void {
    expect(cursor).toBe(this.text.length);
    this.text += Buffer.from(bytes).toString("latin1");
  }
}

function open(...secrets: readonly string[]) {
  const known = new KnownSecrets();
  for (const secret of secrets) known.add(secret);
  const paper = new Paper();
  const disk = paper as unknown as DiskJournal;
  const store = new OutputStore({ journalBytes: 64 * 1024, disk, onFlood: "drop", redaction: known });
  const print = (text: string) => store.append(Buffer.from(text), "terminal");
  const inMemory = () => Buffer.from(store.readMemory({}).bytes).toString();
  return { known, paper, store, print, inMemory };
}

test("a secret is in memory and on disk as a mask only, wherever it is split", () => {
  for (let at = 0; at <= SECRET.length; at++) {
    const { print, store, inMemory, paper } = open(SECRET);

    print(`a ${SECRET.slice(0, at)}`);
    print(`${SECRET.slice(at)} b`);

    expect(inMemory()).toBe("a ********** b");
    expect(paper.text).toBe("a ********** b");
    expect(store.end).toBe(14);
  }
});

test("what may be the beginning of a secret is counted, and can be read 50 ms later", async () => {
  const { print, store, inMemory, paper } = open(SECRET);
  print("press h");

  expect(store.end).toBe(7);
  expect(inMemory()).toBe("press ");
  expect(paper.text).toBe("press ");
  const reading = store.read({ from: 6 });
  await vi.advanceTimersByTimeAsync(50);

  expect(Buffer.from((await reading).bytes).toString()).toBe("h");
  expect(paper.text).toBe("press h");
  expect(vi.getTimerCount()).toBe(0);
});

test("a flood of beginnings is not held back for longer than the last one", async () => {
  const { print, store } = open(SECRET);

  for (let count = 0; count < 10; count++) {
    print("h");
    await vi.advanceTimersByTimeAsync(20);

    expect(store.readableEnd).toBeGreaterThanOrEqual(count);
  }
});

test("of a secret that comes slowly, at most three bytes are shown", async () => {
  const { print, inMemory, paper } = open(SECRET);

  for (const letter of SECRET) {
    print(letter);
    await vi.advanceTimersByTimeAsync(60);
  }
  print(" b");

  expect(inMemory()).toBe("********** b");
  expect(paper.text).toBe("hun******* b");
});

test("the end of the program ends all waiting", () => {
  const { print, store, inMemory } = open(SECRET);
  print("h");

  store.noteExit();

  expect(inMemory()).toBe("h");
});

test("a secret that becomes known later is masked in what memory holds", () => {
  const { known, print, inMemory } = open();
  print(`x ${SECRET} y ${SECRET.slice(0, 4)}`);
  expect(inMemory()).toContain(SECRET);

  known.add(SECRET);

  expect(inMemory()).toBe("x ********** y hunt");
  print(SECRET.slice(4));
  expect(inMemory()).toBe("x ********** y **********");
});

test("a session without secrets has neither copies nor timers", () => {
  const { print, inMemory } = open();

  print("hunter2");

  expect(inMemory()).toBe("hunter2");
  expect(vi.getTimerCount()).toBe(0);
});

test("stdout and stderr that alternate are two streams", () => {
  const { store, inMemory } = open(SECRET);

  store.append(Buffer.from("hunt"), "stdout");
  store.append(Buffer.from("warning "), "stderr");
  store.append(Buffer.from("er2-Xy"), "stdout");

  expect(inMemory()).toBe("****warning ******");
});
