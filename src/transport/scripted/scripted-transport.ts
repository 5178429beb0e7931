/**
 * Plays a script in memory instead of running a program: for tests, documentation and demonstrations.
 *
 * It fulfils the same contract as every transport. The script is a function that prints, reads input and returns how
 * the program ends. There is no kernel behind it, so input is neither echoed nor edited.
 */

import { type Deferred, deferred } from "../../base/async/deferred.ts";
import type { Exit } from "../../base/exit.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { EndedProcess, EndReport } from "../../linux/processes/kill-process-tree.ts";
import type { TerminalMode } from "../../pty/terminal-mode.ts";
import type { Probe } from "../probe.ts";
import type { Channel, ChannelOptions, Origin, SignalTarget, Transport } from "../transport.ts";
import { ScriptedInput } from "./scripted-input.ts";
import { ScriptedProbe } from "./scripted-probe.ts";

/** What a script can do. */
export interface ScriptedProgram {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  size(): TerminalSize;
  print(output: string | Uint8Array, origin?: Origin): void;
  /** The next line of input, without its end; undefined when a piped stdin was closed. */
  readLine(): Promise<string | undefined>;
  setMode(mode: TerminalMode): void;
  /** From then on this signal calls `handler` instead of ending the program. SIGKILL cannot be caught. */
  onSignal(name: NodeJS.Signals, handler: () => void): void;
  /** Resolves at the next change of size. */
  resized(): Promise<TerminalSize>;
  /** Keeps the terminal open after the exit, as a grandchild would, until the returned function is called. */
  keepOpen(): () => void;
}

/** What a scripted program does. Resolves with how it ended. */
export type Script = (program: ScriptedProgram) => Promise<Exit>;

/** Options of a scripted transport. */
export interface ScriptedOptions {
  /** False: the transport has no probe. Default true. */
  readonly hasProbe?: boolean;
}

/** A transport that plays `script`, whatever program is requested. */
export function scriptedTransport(script: Script, options: ScriptedOptions = {}): Transport {
  return {
    async open(channelOptions) {
      return new ScriptedChannel(script, channelOptions, options);
    },
  };
}

/** Signals that do not end a program by default. */
const HARMLESS: ReadonlySet<string> = new Set(["SIGCHLD", "SIGCONT", "SIGURG", "SIGWINCH"]);

class ScriptedChannel implements Channel {
  readonly pid: null = null;
  readonly probe: Probe | undefined;
  readonly #options: ChannelOptions;
  readonly #input = new ScriptedInput();
  readonly #exited = deferred<Exit>();
  readonly #outputEnded = deferred<void>();
  readonly #handlers = new Map<string, () => void>();
  readonly #held: { readonly bytes: Uint8Array; readonly origin: Origin }[] = [];
  #size: TerminalSize;
  #mode: TerminalMode = { isCanonical: true, isEchoing: true };
  #wantsSize: Deferred<TerminalSize> | undefined;
  #holders = 0;
  #isPaused = false;
  #isOutputOpen = true;
  #hasExited = false;
  #closing: Promise<EndReport> | undefined;

  constructor(script: Script, options: ChannelOptions, { hasProbe = true }: ScriptedOptions) {
    this.#options = options;
    this.probe = hasProbe ? this.#makeProbe() : undefined;
    this.#size = options.size;
    // In a later turn, so that the caller has the channel before the program does anything.
    setImmediate(() => void script(this.#program()).then((exit) => this.#onExit(exit)));
  }

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  get outputEnded(): Promise<void> {
    return this.#outputEnded.promise;
  }

  async write(bytes: Uint8Array, onTaken?: (count: number) => void): Promise<number> {
    if (this.#hasExited || !this.#input.isOpen) return 0;
    this.#input.type(bytes);
    onTaken?.(bytes.length);
    return bytes.length;
  }

  stopWrite(): void {}

  endInput(): void {
    this.#input.end();
  }

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#wantsSize?.resolve(size);
    this.#wantsSize = undefined;
  }

  async signal(name: NodeJS.Signals, target: SignalTarget): Promise<boolean> {
    const isAlive = !this.#hasExited || (target === "tree" && this.#holders > 0);
    // A script starts no other processes.
    if (!isAlive || typeof target === "object" || target === "rivals") return false;
    const handler = name === "SIGKILL" ? undefined : this.#handlers.get(name);
    if (handler) handler();
    else if (!HARMLESS.has(name)) this.#onExit({ kind: "signal", signal: name });
    return true;
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    this.#isPaused = false;
    for (const { bytes, origin } of this.#held.splice(0)) this.#deliver(bytes, origin);
  }

  close({ graceMs, firstSignal = "SIGHUP" }: Parameters<Channel["close"]>[0]): Promise<EndReport> {
    const gentle = firstSignal === "SIGHUP" ? (["SIGHUP", "SIGTERM"] as const) : (["SIGTERM", "SIGHUP"] as const);
    this.#closing ??= this.#close(graceMs > 0 ? [...gentle, "SIGKILL"] : ["SIGKILL"]);
    return this.#closing;
  }

  async #close(signals: readonly EndedProcess["signal"][]): Promise<EndReport> {
    const ended: EndedProcess[] = [];
    for (const signal of signals) {
      if (this.#hasExited) break;
      await this.signal(signal, "tree");
      if (this.#hasExited) ended.push({ pid: 0, name: this.#options.program, signal });
    }
    this.#holders = 0;
    this.#endOutput();
    return { ended, by: "search", left: [] };
  }

  #program(): ScriptedProgram {
    return {
      args: this.#options.args,
      env: this.#options.env,
      size: () => this.#size,
      print: (output, origin = this.#options.tty ? "terminal" : "stdout") =>
        this.#deliver(typeof output === "string" ? new TextEncoder().encode(output) : output, origin),
      readLine: () => this.#input.readLine(),
      setMode: (mode) => {
        this.#mode = mode;
      },
      onSignal: (name, handler) => {
        this.#handlers.set(name, handler);
      },
      resized: () => {
        this.#wantsSize ??= deferred<TerminalSize>();
        return this.#wantsSize.promise;
      },
      keepOpen: () => {
        this.#holders += 1;
        return () => {
          this.#holders -= 1;
          if (this.#holders <= 0 && this.#hasExited) this.#endOutput();
        };
      },
    };
  }

  #makeProbe(): Probe {
    return new ScriptedProbe({
      input: this.#input,
      hasExited: () => this.#hasExited,
      mode: () => (this.#options.tty && this.#isOutputOpen ? this.#mode : undefined),
    });
  }

  #deliver(bytes: Uint8Array, origin: Origin): void {
    if (!this.#isOutputOpen) return;
    if (this.#isPaused) this.#held.push({ bytes, origin });
    else this.#options.onOutput(bytes, origin);
  }

  #onExit(exit: Exit): void {
    if (this.#hasExited) return;
    this.resume();
    this.#hasExited = true;
    this.#exited.resolve(exit);
    if (this.#holders === 0) this.#endOutput();
  }

  #endOutput(): void {
    this.#isOutputOpen = false;
    this.#outputEnded.resolve();
  }
}
