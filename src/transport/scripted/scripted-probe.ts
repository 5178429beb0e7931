/** A probe for a scripted program, which has no processes and no ports. */
import type { ProcessMark } from "../../linux/processes/process-mark.ts";
import type { Activity } from "../../linux/processes/read-activity.ts";
import type { TerminalObservation } from "../../probe/observe-terminal.ts";
import type { TerminalMode } from "../../pty/terminal-mode.ts";
import type { UnreadInput } from "../../pty/typed-input.ts";
import type { Probe } from "../probe.ts";
import type { ScriptedInput } from "./scripted-input.ts";

interface ScriptedState {
  readonly input: ScriptedInput;
  hasExited(): boolean;
  /** Undefined without a terminal, or when it is closed. */
  mode(): TerminalMode | undefined;
}

const READER = { pid: 0, name: "script", call: "read", runs: "0", threads: 1, others: [] } as const;

export class ScriptedProbe implements Probe {
  readonly #state: ScriptedState;

  constructor(state: ScriptedState) {
    this.#state = state;
  }

  terminalMode(): TerminalMode | undefined {
    return this.#state.mode();
  }

  observe(): TerminalObservation | undefined {
    const mode = this.terminalMode();
    if (!mode || this.#state.hasExited()) return undefined;
    const reader = this.#state.input.isWanted ? READER : "none";
    return { mode, reader, hasUnreadInput: this.hasUnreadInput(), readsInSteps: false };
  }

  async searchReaders(): Promise<void> {}

  rivals(): readonly [] {
    return [];
  }

  activityOf(): Activity {
    return { workMs: 0, isRunning: false, posture: "", children: [] };
  }

  hasUnreadInput(): boolean {
    return this.#state.input.hasLine;
  }

  unreadInput(): UnreadInput {
    return { bytes: this.#state.input.unreadBytes, isExact: true };
  }

  discardUnread(): void {
    this.#state.input.clear();
  }

  /** No kernel turns keys into signals. */
  signalKeys(): readonly [] {
    return [];
  }

  isStopped(): boolean {
    return false;
  }

  async listening(): Promise<readonly []> {
    return [];
  }

  async running(): Promise<readonly []> {
    return [];
  }

  markProcesses(): ProcessMark {
    return { children: [], childFaults: 0, ticks: 0 };
  }

  hasDetached(): boolean {
    return false;
  }

  isProgramInForeground(): boolean {
    return !this.#state.hasExited();
  }

  foreground(): undefined {
    return undefined;
  }

  foregroundGroup(): undefined {
    return undefined;
  }

  isGroupAlive(): boolean {
    return true;
  }

  countEndedJobs(): undefined {
    return undefined;
  }

  typeUnseen(line: Uint8Array): boolean {
    const { input } = this.#state;
    if (this.terminalMode() === undefined || this.#state.hasExited()) return false;
    input.clear();
    input.type(line);
    return true;
  }

  hideTyping(): void {}

  showTyping(): void {}

  peekInput(): Buffer {
    return Buffer.alloc(0);
  }

  drain(): boolean {
    return true;
  }

  openingFile(): undefined {
    return undefined;
  }

  freeOwnLock(): boolean {
    return false;
  }
}
