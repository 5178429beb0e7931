/** The connection to a host is cut at any point of a turn: no command is carried out twice, no byte is lost or repeated. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import type { TurnAnswer } from "../../../src/service/turn/turn-answer.ts";
import type { TurnRequest } from "../../../src/service/turn/turn-request.ts";
import { type Cut, type CutProxy, cutProxy } from "../../support/host/cut-proxy.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { hostAt, hostDirectory, pidOf } from "../../support/host/host.ts";
import { errorOf, isLong, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

/** Of each test: more than 500 in all, or some 60. */
const CUTS = isLong ? 70 : 7;
const plain = { login: false, shell: "/bin/sh" };
const UNREAD = { kind: "unread", fold: false, maxTokens: 1_000_000 } as const;
const CALLER = "test";

interface Scene {
  readonly direct: HostClient;
  readonly directory: string;
  readonly proxy: CutProxy;
  readonly random: Random;
}

async function openScene(seed: number): Promise<Scene> {
  const directory = hostDirectory();
  const direct = hostAt(directory);
  await direct.list({ ended: false });
  return { direct, directory, proxy: await cutProxy(directory), random: new Random(seed) };
}

/** The same numbers for the same seed. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(end: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((this.#state >>> 0) / 2 ** 32) * end);
  }

  /** Where one to three connections in a row are cut. */
  cuts(): readonly Cut[] {
    return Array.from({ length: 1 + this.below(3) }, () => this.#cut());
  }

  #cut(): Cut {
    const end = this.below(4) === 0 ? "half-open" : "both";
    const kind = this.below(3);
    if (kind === 0) return { kind: "time", afterMs: this.below(40), end };
    // Most of a message's bytes are inside: its first and last ones matter as much.
    const count = this.below(2) === 0 ? this.below(400) : this.below(6_000);
    return { kind: "bytes", to: kind === 1 ? "host" : "client", count, end };
  }
}

/** Turns until the proxy has cut often enough. */
async function cutOften(
  { proxy, random }: Pick<Scene, "proxy" | "random">,
  turn: (n: number) => Promise<void>,
): Promise<number> {
  let turns = 0;
  for (; proxy.cuts < CUTS; turns += 1) {
    proxy.plan(random.cuts());
    await turn(turns);
  }
  proxy.plan([]);
  return turns;
}

async function acknowledged(client: HostClient, request: Omit<TurnRequest, "caller">): Promise<TurnAnswer> {
  const answer = await client.turn({ caller: CALLER, ...request });
  if (answer.receipt) client.acknowledge({ caller: CALLER, receipt: answer.receipt });
  return answer;
}

function numbersTo(count: number): string {
  return Array.from({ length: count }, (_, n) => `${n}\n`).join("");
}

test("a program whose start is cut off starts once, and its output is in the answer", async () => {
  const scene = await openScene(1);
  const log = join(temporaryDirectory(), "log");
  const texts: (string | undefined)[] = [];

  const turns = await cutOften(scene, async (n) => {
    const start = { command: `echo ${n} >> ${log}; echo out ${n}`, ...plain };
    const wait = { kind: "output", deadlineMs: 20_000 } as const;
    const answer = await acknowledged(scene.proxy.client, { on: { kind: "start", start }, wait, read: UNREAD });
    texts.push(answer.output?.text);
  });

  expect(readFileSync(log, "utf8")).toBe(numbersTo(turns));
  expect(texts).toEqual(Array.from({ length: turns }, (_, n) => `out ${n}\n`));
});

test("a command of a shell whose call is cut off runs once, and its output is in the answer", async () => {
  const scene = await openScene(2);
  const log = join(temporaryDirectory(), "log");
  const texts: (string | undefined)[] = [];

  const turns = await cutOften(scene, async (n) => {
    const run = { command: `echo ${n} >> ${log}; echo out ${n}`, shell: "main", fresh: { shell: "/bin/sh" } };
    texts.push((await acknowledged(scene.proxy.client, { on: { kind: "run", run } })).command?.output);
  });

  expect(readFileSync(log, "utf8")).toBe(numbersTo(turns));
  expect(texts).toEqual(Array.from({ length: turns }, (_, n) => `out ${n}\n`));
});

test("a line whose call is cut off is typed once, and what is printed is read once", async () => {
  const scene = await openScene(3);
  const log = join(temporaryDirectory(), "log");
  const { id } = await startSession(scene.direct, { command: `stty -echo; echo ready; tee ${log}`, ...plain });
  const { client } = scene.proxy;
  const first = { kind: "output", until: "ready\\n", onInput: false } as const;
  await acknowledged(client, { on: { kind: "session", key: id }, wait: first, read: UNREAD });
  let text = "";

  const turns = await cutOften(scene, async (n) => {
    const input = { strokes: [{ kind: "text", text: `${n}\n` }] } as const;
    const wait = { kind: "output", until: `^${n}\\n`, onInput: false, deadlineMs: 20_000 } as const;
    const answer = await acknowledged(client, { on: { kind: "session", key: id }, input, wait, read: UNREAD });
    text += answer.output?.text;
  });

  expect(readFileSync(log, "utf8")).toBe(numbersTo(turns));
  expect(text).toBe(numbersTo(turns));
});

test("numbers that a program prints without end are read once each, in order, over all cuts", async () => {
  const scene = await openScene(4);
  const reader = new NumberReader(scene.proxy.client, await startNumbers(scene.direct));

  await cutOften(scene, async () => await reader.read());

  await reader.finish(scene.direct);
});

test("answers that are given back are read again by the next turn, over all cuts", async () => {
  const scene = await openScene(5);
  const { random, proxy } = scene;
  const reader = new NumberReader(proxy.client, await startNumbers(scene.direct));

  await cutOften(scene, async () => {
    if (random.below(2) === 0) await reader.read();
    else await reader.readAndGiveBack(() => proxy.plan(random.cuts()));
  });

  await reader.finish(scene.direct);
});

test("what a cancelled turn would have answered is read by the next one, wherever the cancel and the cut meet", async () => {
  const scene = await openScene(6);
  const { random, proxy } = scene;
  const reader = new NumberReader(proxy.client, await startNumbers(scene.direct));

  await cutOften(scene, async () => await reader.readOrCancel(random.below(30)));

  await reader.finish(scene.direct);
});

test("two clients of the same caller read all output once each, over cuts of both", async () => {
  const scene = await openScene(7);
  const other = await cutProxy(scene.directory);
  const printer = await startNumbers(scene.direct);
  const readers = [new NumberReader(scene.proxy.client, printer), new NumberReader(other.client, printer)];
  // Both are there before the first cut.
  for (const reader of readers) await reader.read();

  await cutOften(scene, async () => {
    other.plan(scene.random.cuts());
    await Promise.all(readers.map((reader) => reader.read()));
  });
  other.plan([]);

  for (const reader of readers) await reader.finish(scene.direct);
});

test("waits on several sessions that are cut off read the output of each once", async () => {
  const scene = await openScene(8);
  const { client } = scene.proxy;
  const printers = [await startNumbers(scene.direct), await startNumbers(scene.direct)];
  const readers = new Map(printers.map((printer) => [printer.id, new NumberReader(client, printer)]));
  const keys = [...readers.keys()];

  await cutOften(scene, async () => {
    const wait = { kind: "output", until: "[05]\\n", onInput: false, deadlineMs: 20_000 } as const;
    const answer = await acknowledged(client, { on: { kind: "several", keys }, wait, read: UNREAD });
    readers.get(answer.session.id)?.take(answer);
  });

  for (const reader of readers.values()) await reader.finish(scene.direct);
});

test("a new connection takes over from one whose end the host has not noticed, and the turn is answered once", async () => {
  const { direct, proxy } = await openScene(9);
  const { client } = proxy;
  const log = join(temporaryDirectory(), "log");
  const command = `echo started >> ${log}; read x; echo got $x`;
  const start = { command: `stty -echo; ${command}`, ...plain };
  const wait = { kind: "output", until: "got .*\\n", onInput: false } as const;

  const answering = acknowledged(client, { on: { kind: "start", start }, wait, read: UNREAD });
  await until(() => existsSync(log), "the program runs");
  proxy.plan([{ kind: "time", afterMs: 0, end: "half-open" }]);
  await until(() => proxy.cuts === 1, "the connection is cut");
  const [session] = await client.running();
  await direct.write(session?.id ?? 0, "it\n");
  const answer = await answering;

  expect([answer.result?.reason, answer.output?.text]).toEqual(["matched", "got it\n"]);
  const again = await acknowledged(client, { on: { kind: "session", key: answer.session.id }, read: UNREAD });
  expect(again.output?.text).toBe("");
  expect(readFileSync(log, "utf8")).toBe("started\n");
  expect((await direct.hostStatus())?.clients).toBe(3);
});

test("a host that is killed during a turn leaves its outcome unknown, and no other host carries it out", async () => {
  const directory = hostDirectory();
  const [client, other] = [hostAt(directory), hostAt(directory)];
  const log = join(temporaryDirectory(), "log");
  const start = { command: `echo started >> ${log}; exec sleep 100`, ...plain };
  const turns = ["start", "run"].map((kind) => {
    const on =
      kind === "start"
        ? ({ kind: "start", start } as const)
        : ({ kind: "run", run: { command: start.command, shell: "main", fresh: { shell: "/bin/sh" } } } as const);
    const wait = kind === "start" ? { wait: { kind: "output", onInput: false } as const } : {};
    return errorOf(client.turn({ caller: CALLER, on, ...wait }));
  });
  await until(() => existsSync(log) && readFileSync(log, "utf8") === "started\nstarted\n", "both run");

  endProcess(await pidOf(client));
  // A new host, as soon as the old one is gone.
  await until(async () => (await other.list({ ended: false }).catch(() => [])).length > 0, "another host runs");
  const errors = await Promise.all(turns);

  expect(errors.map(({ code }) => code)).toEqual(["HOST_GONE", "HOST_GONE"]);
  expect(errors.map(({ message }) => message)).toEqual(
    Array(2).fill(expect.stringContaining("its outcome is unknown")),
  );
  expect(readFileSync(log, "utf8")).toBe("started\nstarted\n");
});

interface Printer {
  readonly id: number;
  /** It ends when this file exists. */
  readonly stop: string;
}

/** Prints ascending numbers, a few at a time. */
async function startNumbers(client: HostClient): Promise<Printer> {
  const stop = join(temporaryDirectory(), "stop");
  const some = "for i in 1 2 3 4 5 6 7; do echo $n; n=$((n+1)); done";
  const command = `n=0; while [ ! -e ${stop} ]; do ${some}; sleep 0.002; done`;
  return { id: (await startSession(client, { command, ...plain })).id, stop };
}

/** Reads what is unread of a printer of numbers, and keeps what was delivered. */
class NumberReader {
  readonly #client: HostClient;
  readonly #printer: Printer;
  #text = "";

  constructor(client: HostClient, printer: Printer) {
    this.#client = client;
    this.#printer = printer;
  }

  async read(): Promise<void> {
    const answer = await this.#turn();
    this.take(answer);
    if (answer.receipt) this.#client.acknowledge({ caller: CALLER, receipt: answer.receipt });
  }

  async readAndGiveBack(beforeThat: () => void): Promise<void> {
    const { receipt } = await this.#turn();
    beforeThat();
    if (receipt) this.#client.giveBack({ caller: CALLER, receipt });
  }

  async readOrCancel(afterMs: number): Promise<void> {
    const stop = new AbortController();
    const [answer] = await Promise.all([
      this.#turn(stop.signal).catch((error: unknown) => {
        if (error !== stop.signal.reason) throw error;
      }),
      sleep(afterMs).then(() => stop.abort(new Error("enough"))),
    ]);
    if (answer) this.take(answer);
  }

  take({ output }: TurnAnswer): void {
    this.#text += output?.text;
  }

  /** All that was printed until the end was delivered, once and in order. */
  async finish(direct: HostClient): Promise<void> {
    const on = { kind: "session", key: this.#printer.id } as const;
    writeFileSync(this.#printer.stop, "");
    await direct.turn({ caller: "all", on, wait: { kind: "output", onInput: false, deadlineMs: 20_000 } });
    await this.read();
    const all = await direct.turn({
      caller: "all",
      on,
      read: { ...UNREAD, kind: "text", from: 0 },
    });
    expect(this.#text).toBe(all.output?.text);
    const count = this.#text.split("\n").length - 1;
    expect(this.#text).toBe(numbersTo(count));
  }

  async #turn(signal?: AbortSignal): Promise<TurnAnswer> {
    const wait = { kind: "output", onInput: false, deadlineMs: 10 } as const;
    return await this.#client.turn({
      caller: CALLER,
      on: { kind: "session", key: this.#printer.id },
      wait,
      read: UNREAD,
      signal,
    });
  }
}
