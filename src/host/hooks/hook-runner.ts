/**
 * Runs a user's command for each event of a kind, with the event as one line of JSON on its stdin. Whatever the command
 * does, the host goes on: its time, the number of commands at once and the rate are bounded, and what is left out is
 * reported.
 */
import { spawn } from "node:child_process";
import { homeMembers } from "../../pty/group-root.ts";
import type { EventKind, SessionEvent } from "../../service/events/session-event.ts";

/** Commands by kind of event. */
export type Hooks = Readonly<Partial<Record<EventKind, string>>>;

const MAX_AT_ONCE = 4;
const MAX_WAITING = 100;
const MAX_PER_MINUTE = 120;
const MINUTE_MS = 60_000;
const DEFAULT_LIMIT_MS = 10_000;

/**
 * A host may be in the control group of its next program. The command leaves that group first: descriptor 3 is the
 * member list of the host's own group.
 */
const LEAVE_GROUP = '{ echo $$ >&3; } 2>/dev/null; exec 3>&-; eval "$1"';

interface HookRunnerOptions {
  /** Called with what could not be run, and why. */
  readonly onProblem: (text: string) => void;
  /** Ends a command that takes longer. Default 10,000. */
  readonly limitMs?: number;
}

interface Job {
  readonly command: string;
  readonly event: SessionEvent;
}

export class HookRunner {
  readonly #options: HookRunnerOptions;
  readonly #waiting: Job[] = [];
  #running = 0;
  #startedMs: number[] = [];
  #skipped = 0;

  constructor(options: HookRunnerOptions) {
    this.#options = options;
  }

  run(command: string, event: SessionEvent): void {
    const nowMs = performance.now();
    this.#startedMs = this.#startedMs.filter((atMs) => nowMs - atMs < MINUTE_MS);
    if (this.#startedMs.length >= MAX_PER_MINUTE || this.#waiting.length >= MAX_WAITING) {
      this.#skipped += 1;
      // The first one and each hundredth: a log must not grow with a flood.
      if (this.#skipped % 100 === 1) this.#options.onProblem(`hooks: skipped ${this.#skipped} events: too many`);
      return;
    }
    this.#startedMs.push(nowMs);
    this.#waiting.push({ command, event });
    this.#next();
  }

  #next(): void {
    while (this.#running < MAX_AT_ONCE) {
      const job = this.#waiting.shift();
      if (!job) return;
      this.#running += 1;
      void this.#start(job).finally(() => {
        this.#running -= 1;
        this.#next();
      });
    }
  }

  #start({ command, event }: Job): Promise<void> {
    const { onProblem, limitMs = DEFAULT_LIMIT_MS } = this.#options;
    const tell = (how: string) => onProblem(`hook ${event.kind} (${command.slice(0, 80)}) ${how}`);
    return new Promise((resolve) => {
      const child = spawn("/bin/sh", ["-c", LEAVE_GROUP, "sh", command], {
        cwd: "/",
        // In a process group of its own, so that what it starts can be ended with it.
        detached: true,
        stdio: ["pipe", "ignore", "ignore", homeMembers() ?? "ignore"],
      });
      const timer = setTimeout(() => {
        tell(`was ended after ${limitMs} ms`);
        endGroup(child.pid);
      }, limitMs);
      child.once("error", (error) => {
        clearTimeout(timer);
        tell(`could not be started: ${error.message}`);
        resolve();
      });
      child.once("exit", (code) => {
        clearTimeout(timer);
        if (code !== 0 && code !== null) tell(`exited with code ${code}`);
        resolve();
      });
      // A command need not read its input.
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(`${JSON.stringify(event)}\n`);
    });
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The group has already ended.
  }
}
