import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { deferred } from "../../base/async/deferred.ts";
import { SessionRegistry } from "../../session/registry/session-registry.ts";
import { type ScriptedProgram, scriptedTransport } from "../../transport/scripted/scripted-transport.ts";
import { LocalService } from "../local-service.ts";
import type { SessionService } from "../session-service.ts";
import type { Receipt } from "./receipt.ts";
import { startSession } from "./simple-turns.ts";
import type { TurnAnswer } from "./turn-answer.ts";

const CALLER = "ann";

/** An answer that its client holds, and nobody has received yet. */
interface Held {
  readonly requestId: string;
  readonly answer: TurnAnswer;
  readonly receipt: Receipt;
}

/** One caller, who reads a session through one client after another. */
class Desk {
  readonly #service: LocalService;
  readonly #print: (text: string) => void;
  readonly #id: number;
  #client: SessionService;
  #requests = 0;
  #clients = 0;
  #lines = 0;
  #held: Held[] = [];
  #delivered: Held[] = [];

  constructor(service: LocalService, id: number, print: (text: string) => void) {
    this.#service = service;
    this.#id = id;
    this.#print = print;
    this.#client = service.forClient("client 0");
  }

  get held(): number {
    return this.#held.length;
  }

  /** In the order of their delivery. */
  get text(): string {
    return this.#delivered.map(({ answer }) => answer.output?.text).join("");
  }

  get printed(): string {
    return Array.from({ length: this.#lines }, (_, n) => `${n}\n`).join("");
  }

  async print(lines: number): Promise<void> {
    for (const end = this.#lines + lines; this.#lines < end; this.#lines += 1) this.#print(`${this.#lines}\n`);
    while ((await this.#service.find(this.#id)).outputBytes < this.printed.length) await setImmediate();
  }

  async read(): Promise<void> {
    this.#requests += 1;
    const requestId = `request ${this.#requests}`;
    const answer = await this.#turn(requestId);
    this.#held.push({ requestId, answer, receipt: answer.receipt as Receipt });
  }

  async readAgain(index: number): Promise<void> {
    const held = this.#held[index % this.held];
    if (held) expect(await this.#turn(held.requestId)).toEqual(held.answer);
  }

  deliver(index: number, acknowledge: "acknowledge" | "lose the acknowledgement"): void {
    for (const held of this.#held.splice(index % this.held, 1)) {
      this.#delivered.push(held);
      if (acknowledge === "acknowledge") this.#client.acknowledge({ caller: CALLER, receipt: held.receipt });
    }
  }

  giveBack(index: number, by: "requestId" | "receipt"): void {
    for (const { requestId, receipt } of this.#held.splice(index % this.held, 1)) {
      this.#client.giveBack({ caller: CALLER, ...(by === "receipt" ? { receipt } : { requestId }) });
      this.#client.giveBack({ caller: CALLER, requestId });
    }
  }

  /** What the former client held is gone with it, except what it had passed over: it gave that back. */
  changeClient(): void {
    const lastDelivered = Math.max(0, ...this.#delivered.map(({ receipt }) => receipt.to));
    while (this.#held.some(({ receipt }) => receipt.from < lastDelivered)) this.giveBack(0, "requestId");
    this.#held = [];
    this.#clients += 1;
    this.#client = this.#service.forClient(`client ${this.#clients}`);
  }

  /** Bytes that were in no answer that was delivered. */
  async skipped(): Promise<readonly number[]> {
    while (this.held > 0) this.giveBack(0, "requestId");
    await this.read();
    this.deliver(0, "acknowledge");
    const end = (await this.#service.find(this.#id)).outputBytes;
    const isIn = (cursor: number) =>
      this.#delivered.some(({ receipt }) => receipt.from <= cursor && cursor < receipt.to);
    return Array.from({ length: end }, (_, cursor) => cursor).filter((cursor) => !isIn(cursor));
  }

  #turn(requestId: string): Promise<TurnAnswer> {
    const read = { kind: "unread", fold: false, maxTokens: 1_000_000 } as const;
    return this.#client.turn({ caller: CALLER, requestId, on: { kind: "session", key: this.#id }, read });
  }
}

async function withDesk(use: (desk: Desk) => Promise<void>): Promise<void> {
  const started = deferred<ScriptedProgram>();
  const transport = scriptedTransport(async (program) => {
    started.resolve(program);
    await program.readLine();
    return { kind: "code", code: 0 };
  });
  const registry = new SessionRegistry({ defaults: { transport } });
  const service = new LocalService(registry);
  const { id } = await startSession(service, { command: "scripted", shell: "/bin/sh", login: false });
  const program = await started.promise;
  try {
    await use(new Desk(service, id, (text) => program.print(text)));
  } finally {
    await registry.closeAll({ force: true });
  }
}

type Step =
  | { readonly kind: "print" | "readAgain"; readonly n: number }
  | { readonly kind: "read" | "changeClient" }
  | { readonly kind: "deliver"; readonly n: number; readonly how: Parameters<Desk["deliver"]>[1] }
  | { readonly kind: "giveBack"; readonly n: number; readonly how: Parameters<Desk["giveBack"]>[1] };

const n = fc.integer({ min: 0, max: 7 });
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("print" as const, "readAgain" as const), n }),
  fc.record({ kind: fc.constant("read" as const) }),
  fc.record({
    kind: fc.constant("deliver" as const),
    n,
    how: fc.constantFrom("acknowledge" as const, "lose the acknowledgement" as const),
  }),
  fc.record({
    kind: fc.constant("giveBack" as const),
    n,
    how: fc.constantFrom("requestId" as const, "receipt" as const),
  }),
  fc.record({ kind: fc.constant("changeClient" as const) }),
);

async function take(desk: Desk, taken: Step): Promise<void> {
  switch (taken.kind) {
    case "print":
      return await desk.print(taken.n);
    case "read":
      return await desk.read();
    case "readAgain":
      return await desk.readAgain(taken.n);
    case "deliver":
      return desk.deliver(taken.n, taken.how);
    case "giveBack":
      return desk.giveBack(taken.n, taken.how);
    case "changeClient":
      return desk.changeClient();
  }
}

const print: Step = { kind: "print", n: 1 };
const read: Step = { kind: "read" };
const giveBack = (n: number): Step => ({ kind: "giveBack", n, how: "requestId" });
const deliver = (n: number): Step => ({ kind: "deliver", n, how: "acknowledge" });

/** Orders in which something was skipped once. */
const FOUND: readonly (readonly Step[])[] = [
  [print, read, read, giveBack(0), { kind: "readAgain", n: 0 }],
  [read, read, read, print, read, giveBack(0), read, giveBack(2), deliver(0), deliver(3)],
  [print, read, print, read, giveBack(0), read],
];

test("nothing that was not delivered is skipped, in whatever order answers are delivered, given back, repeated and lost", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      await withDesk(async (desk) => {
        for (const each of steps) await take(desk, each);

        expect(await desk.skipped()).toEqual([]);
      });
    }),
    { numRuns: 200, examples: FOUND.map((steps) => [[...steps]]) },
  );
});

test("a caller that decides on each answer before it asks again gets each byte once", async () => {
  const decision = fc.constantFrom(
    "deliver",
    "give back",
    "repeat and deliver",
    "lose the client",
    "change the client",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(n, decision), { maxLength: 30 }), async (turns) => {
      await withDesk(async (desk) => {
        for (const [lines, what] of turns) {
          await desk.print(lines);
          await desk.read();
          if (what === "give back") desk.giveBack(0, "requestId");
          if (what === "lose the client") desk.changeClient();
          if (what === "repeat and deliver") await desk.readAgain(0);
          if (desk.held > 0) desk.deliver(0, "acknowledge");
          if (what === "change the client") desk.changeClient();
        }
        await desk.read();
        desk.deliver(0, "acknowledge");

        expect(desk.text).toBe(desk.printed);
      });
    }),
    { numRuns: 200 },
  );
});
