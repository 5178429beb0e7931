/**
 * Writes acts to the audit in batches, in the background. If the disk cannot be written, calls continue, unless the
 * audit is required: then calls that act are refused.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Audit, AuditAct } from "./audit.ts";
import type { ChainEnd } from "./audit-chain.ts";
import { auditFile } from "./audit-files.ts";
import { AuditWriter, type TimedAct } from "./audit-writer.ts";

/** Acts within this time share one write, because taking the lock costs more than writing a line. */
const BATCH_MS = 50;
const MAX_BATCH = 500;
/** How long to wait after a failed write. */
const RETRY_MS = 1_000;
/** Some megabytes of acts. Further acts are dropped and counted, and the count is written. */
const MAX_PENDING = 5_000;
const AUDIT_FILE_BYTES = 16 * 1024 * 1024;
/** A command can be a whole script. */
const MAX_COMMAND_CHARS = 8_000;

/** `required`: acts that cannot be recorded are refused. */
export type AuditMode = "on" | "off" | "required";

export interface AuditOptions {
  /** Where the files are. */
  readonly directory: string;
  /** Refuse acts that cannot be recorded. Default false. */
  readonly isRequired?: boolean;
  /** Replaces secrets in commands. Default: nothing is replaced. */
  readonly redact?: ((text: string) => string) | undefined;
  /** The size at which a file is rotated. */
  readonly maxBytes?: number;
}

/** Whether acts are recorded. */
export interface AuditHealth {
  readonly file: string;
  /** The last line of the chain that this process knows. */
  readonly end: ChainEnd;
  /** Why nothing can be written; null if the last write succeeded. */
  readonly problem: string | null;
  /** Acts that wait for the disk. */
  readonly pending: number;
}

export class AuditLog implements Audit {
  readonly #options: AuditOptions;
  readonly #writer: AuditWriter;
  readonly #pending: TimedAct[] = [];
  #dropped = 0;
  #problem: string | null = null;
  #hasWritten = false;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;

  constructor(options: AuditOptions) {
    this.#options = options;
    const { directory, maxBytes = AUDIT_FILE_BYTES } = options;
    this.#writer = new AuditWriter({ directory, maxBytes });
  }

  get health(): AuditHealth {
    return {
      file: auditFile(this.#options.directory),
      end: this.#writer.end,
      problem: this.#problem,
      pending: this.#pending.length,
    };
  }

  async admit(): Promise<void> {
    if (!this.#options.isRequired || (this.#hasWritten && this.#problem === null)) return;
    await this.#flush();
    this.#requireHealthy("Nothing was done");
  }

  note(act: AuditAct): void {
    if (this.#pending.length < MAX_PENDING) this.#pending.push(now(this.#shown(act)));
    else this.#dropped += 1;
    if (this.#problem === null) this.#schedule(BATCH_MS);
  }

  async settled(): Promise<void> {
    if (!this.#options.isRequired) return;
    await this.#flush();
    this.#requireHealthy("It was done, but not recorded");
  }

  /** Writes what is left. */
  async close(): Promise<void> {
    await this.#flush();
    clearTimeout(this.#timer);
    this.#writer.close();
  }

  #schedule(afterMs: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#flush();
    }, afterMs);
    this.#timer.unref();
  }

  async #flush(): Promise<void> {
    while (this.#writing) await this.#writing;
    this.#writing = this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    const isSynced = this.#options.isRequired ?? false;
    // Before the first act, an empty batch shows whether there is a file to write to.
    for (let isFirst = !this.#hasWritten; isFirst || this.#pending.length + this.#dropped > 0; isFirst = false) {
      const batch = this.#pending.slice(0, MAX_BATCH);
      const dropped = batch.length === this.#pending.length ? this.#dropped : 0;
      try {
        await this.#writer.append(dropped > 0 ? [...batch, gapOf(dropped)] : batch, { isSynced });
      } catch (error) {
        this.#problem = (error as NodeJS.ErrnoException).code ?? String(error);
        this.#schedule(RETRY_MS);
        return;
      }
      this.#problem = null;
      this.#hasWritten = true;
      this.#pending.splice(0, batch.length);
      this.#dropped -= dropped;
    }
  }

  #requireHealthy(what: string): void {
    if (this.#problem === null) return;
    throw new LimpetError(
      "AUDIT_UNAVAILABLE",
      `The audit ${auditFile(this.#options.directory)} cannot be written (${this.#problem}), and config.json requires it. ${what}. Free space on its disk, or set "audit" to "on".`,
    );
  }

  #shown(act: AuditAct): AuditAct {
    const { redact = (text) => text } = this.#options;
    if (act.command === undefined) return act;
    const command = redact(act.command);
    return {
      ...act,
      command: command.length > MAX_COMMAND_CHARS ? `${command.slice(0, MAX_COMMAND_CHARS)}…` : command,
    };
  }
}

function now(act: TimedAct["act"]): TimedAct {
  return { time: new Date().toISOString(), act };
}

function gapOf(count: number): TimedAct {
  return now({ event: "gap", count, detail: "not recorded, because the audit could not be written" });
}
