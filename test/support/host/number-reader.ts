/** A program that prints ascending numbers, and a reader that checks that each was delivered once and in order. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import type { HostClient } from "../../../src/host/client/host-client.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import type { TurnAnswer } from "../../../src/service/turn/turn-answer.ts";
import { temporaryDirectory } from "../watching.ts";
import { CALLER, numbersTo, UNREAD } from "./cut-scene.ts";

export interface Printer {
  readonly id: number;
  /** It ends when this file exists. */
  readonly stop: string;
}

/** Prints ascending numbers, a few at a time. */
export async function startNumbers(client: HostClient): Promise<Printer> {
  const stop = join(temporaryDirectory(), "stop");
  const some = "for i in 1 2 3 4 5 6 7; do echo $n; n=$((n+1)); done";
  const command = `n=0; while [ ! -e ${stop} ]; do ${some}; sleep 0.002; done`;
  return { id: (await startSession(client, { command, login: false, shell: "/bin/sh" })).id, stop };
}

/** Reads what is unread of a printer of numbers, and keeps what was delivered. */
export class NumberReader {
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
