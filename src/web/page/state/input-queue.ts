/**
 * What a person types, sent in order: one request at a time, and what is typed meanwhile goes with the next one. A key
 * never overtakes another.
 */
import type { InputMessage } from "../../api/messages.ts";

export interface InputQueueOptions {
  readonly send: (message: InputMessage) => Promise<void>;
  /** Drops everything that was waiting to be sent. */
  readonly onFailed: (error: unknown) => void;
}

/** A paste is sent as a whole: the server marks its beginning and its end. */
export class InputQueue {
  readonly #options: InputQueueOptions;
  #waiting: readonly InputMessage[] = [];
  #isSending = false;

  constructor(options: InputQueueOptions) {
    this.#options = options;
  }

  add(message: InputMessage): void {
    this.#waiting = joined(this.#waiting, message);
    if (!this.#isSending) void this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    try {
      for (let next = this.#take(); next; next = this.#take()) await this.#options.send(next);
    } catch (error) {
      this.#waiting = [];
      this.#options.onFailed(error);
    } finally {
      this.#isSending = false;
    }
  }

  #take(): InputMessage | undefined {
    const [first, ...rest] = this.#waiting;
    this.#waiting = rest;
    return first;
  }
}

/** Pure: texts and keys that follow each other become one message. */
export function joined(waiting: readonly InputMessage[], next: InputMessage): readonly InputMessage[] {
  const last = waiting.at(-1);
  const before = waiting.slice(0, -1);
  if (last?.kind === "text" && next.kind === "text") return [...before, { kind: "text", text: last.text + next.text }];
  if (last?.kind === "keys" && next.kind === "keys")
    return [...before, { kind: "keys", keys: [...last.keys, ...next.keys] }];
  return [...waiting, next];
}
