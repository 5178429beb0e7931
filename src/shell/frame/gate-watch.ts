/**
 * Watches for the shell at its gates.
 *
 * A shell that has printed its end mark waits at the end gate, so limpet has time to check that the shell itself
 * printed the mark: any other process can print a mark, but none can put the shell into that wait. Everything that was
 * printed before has arrived by then.
 *
 * A shell that is asked for its state waits at the key gate before that. It gets a nonce there that nobody can have
 * seen before.
 */
import type { Probe } from "../../transport/probe.ts";
import { PollPause } from "../poll-pause.ts";
import { decideEnd, type EndVerdict, type SeenEnd } from "./decide-end.ts";
import { newNonce } from "./mark.ts";
import type { ShellFiles } from "./shell-files.ts";
import type { Gate } from "./shell-paths.ts";

/** The shell is at the gate a moment after its mark, unless the machine is busy or the mark is forged. */
const SLOWEST_POLL_MS = 20;

interface GateParts {
  readonly probe: Probe;
  readonly files: ShellFiles;
  /** The shell gets this nonce for its answer. Returns it in the form that the shell reads. */
  readonly onKey: (nonce: string) => string;
  /** The shell waits behind its end mark. It continues after this. */
  readonly onEnd: (verdict: EndVerdict) => void;
  /** The shell has ended. */
  readonly isOver: () => boolean;
}

export class GateWatch {
  readonly #parts: GateParts;
  #seen: SeenEnd[] = [];
  #hasSeen = false;
  /** False as soon as it was let through: for a moment it looks as if it still waited. */
  #isKeyWanted = false;
  #isChecking = false;
  #watches = 0;
  /** The watch that polls. */
  #polling: number | undefined;

  constructor(parts: GateParts) {
    this.#parts = parts;
  }

  /** An end mark appeared, printed by the shell or by another process. */
  get hasSeen(): boolean {
    return this.#hasSeen;
  }

  /** Call at each end mark. */
  note(seen: SeenEnd): void {
    this.#seen.push(seen);
    this.#hasSeen = true;
  }

  /** Call when something was typed: earlier marks do not belong to it. */
  forget(): void {
    this.#seen = [];
    this.#hasSeen = false;
    this.#isKeyWanted = false;
    this.#watches += 1;
  }

  /** Looks once. False if the shell is not behind its end mark. */
  check(): boolean {
    const { probe, files, onEnd } = this.#parts;
    // Reading the pending output may find another mark, which triggers a check itself.
    if (this.#isChecking || this.#giveKey() || !this.#isAt("endGate")) return false;
    this.#isChecking = true;
    let hasArrived: boolean;
    try {
      hasArrived = probe.drain();
    } finally {
      this.#isChecking = false;
    }
    if (!hasArrived) {
      // Without its mark, the command would count as not run.
      this.#poll();
      return false;
    }
    const verdict = decideEnd(this.#seen);
    this.#seen = [];
    onEnd(verdict);
    files.openGate("endGate");
    return true;
  }

  /** Looks until the shell has answered a query. */
  watchForAnswer(): void {
    this.#isKeyWanted = true;
    this.watch();
  }

  /** Looks until the shell is behind its end mark, or something else is typed. */
  watch(): void {
    this.#watches += 1;
    if (!this.check()) this.#poll();
  }

  /** Lets the shell start its command, after `work`. */
  releaseStart(work: () => void): void {
    const release = () => {
      if (!this.#isAt("startGate")) return this.#parts.isOver();
      work();
      this.#parts.files.openGate("startGate");
      return true;
    };
    if (!release()) void poll(release);
  }

  #poll(): void {
    const watch = this.#watches;
    if (this.#polling === watch) return;
    this.#polling = watch;
    const isDone = () => watch !== this.#watches || this.#parts.isOver() || this.check();
    void poll(isDone).then(() => {
      if (this.#polling === watch) this.#polling = undefined;
    });
  }

  #giveKey(): boolean {
    const { files, onKey } = this.#parts;
    if (!this.#isKeyWanted || !this.#isAt("keyGate")) return false;
    this.#isKeyWanted = false;
    this.#seen = [];
    files.openGate("keyGate", onKey(newNonce()));
    return true;
  }

  #isAt(gate: Gate): boolean {
    const { probe, files } = this.#parts;
    return files.paths !== undefined && probe.openingFile() === files.paths[gate];
  }
}

async function poll(isDone: () => boolean): Promise<void> {
  const pause = new PollPause({ slowestMs: SLOWEST_POLL_MS });
  do await pause.next();
  while (!isDone());
}
