/** Passes on what a person types, in order. What is typed during a write goes with the next one. */

import { MAX_INPUT_BYTES } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";

interface InputPumpOptions {
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** The program does not read its input, so what was typed is lost. */
  readonly onRefused: () => void;
  /** The link broke: what was on its way may have arrived, what waited behind it was not sent. */
  readonly onCut?: () => void;
}

export class InputPump {
  readonly #options: InputPumpOptions;
  #waiting: Uint8Array[] = [];
  #waitingBytes = 0;
  #isBusy = false;

  constructor(options: InputPumpOptions) {
    this.#options = options;
  }

  push(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#waitingBytes + bytes.length > MAX_INPUT_BYTES) {
      this.#options.onRefused();
      return;
    }
    this.#waiting.push(Uint8Array.from(bytes));
    this.#waitingBytes += bytes.length;
    if (!this.#isBusy) void this.#pump();
  }

  async #pump(): Promise<void> {
    this.#isBusy = true;
    while (this.#waiting.length > 0) {
      const bytes = Buffer.concat(this.#waiting);
      this.#waiting = [];
      this.#waitingBytes = 0;
      try {
        await this.#options.write(bytes);
      } catch (error) {
        // If the program or the host has ended, the output shows it.
        const code = error instanceof LimpetError ? error.code : "";
        if (/^(LINK|PLACE)_/.test(code)) this.#cut();
        else if (!/^(SESSION|HOST)_/.test(code)) this.#options.onRefused();
      }
    }
    this.#isBusy = false;
  }

  #cut(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#options.onCut?.();
  }
}
