/** The input of a scripted program. */
import { type Deferred, deferred } from "../../base/async/deferred.ts";

const LINE_END = /[\r\n]/;

export class ScriptedInput {
  #typed = "";
  #isOpen = true;
  #wanted: Deferred<void> | undefined;

  /** False after `end`. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** The program is waiting in `readLine`. */
  get isWanted(): boolean {
    return this.#wanted !== undefined;
  }

  get hasLine(): boolean {
    return LINE_END.test(this.#typed);
  }

  /** Whole lines only. */
  get unreadBytes(): number {
    return Buffer.byteLength(this.#typed.slice(0, this.#typed.search(/[\r\n][^\r\n]*$/) + 1));
  }

  type(bytes: Uint8Array): void {
    this.#typed += Buffer.from(bytes).toString("utf8");
    this.#wanted?.resolve();
  }

  /** Discards unread input. */
  clear(): void {
    this.#typed = "";
  }

  end(): void {
    this.#isOpen = false;
    this.#wanted?.resolve();
  }

  /** The next line, without its end; undefined when the input has ended. */
  async readLine(): Promise<string | undefined> {
    for (;;) {
      const end = this.#typed.search(LINE_END);
      if (end >= 0) {
        const line = this.#typed.slice(0, end);
        this.#typed = this.#typed.slice(end + 1);
        return line;
      }
      if (!this.#isOpen) return undefined;
      this.#wanted = deferred<void>();
      await this.#wanted.promise;
      this.#wanted = undefined;
    }
  }
}
