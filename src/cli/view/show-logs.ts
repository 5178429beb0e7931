/** Prints a session's output line by line, for a person or a script. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import { type CommandPart, commandLines } from "../../record/command-lines.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { readOutput } from "../../service/turn/simple-turns.ts";
import type { TranscriptPart } from "../../session/transcript-part.ts";
import { Cleaner } from "../../text/clean/cleaner.ts";
import { ALTERNATE_SCREEN_NOTE } from "../../text/mark.ts";
import type { Pattern } from "../../text/search/pattern.ts";
import { FAILED, OK } from "../exit-codes.ts";
import { writeJsonLines, writeText } from "../print/print.ts";
import { ShownOutput } from "../print/shown-output.ts";

/** Replaces the note about a full-screen program, which names a tool of agents. */
const FOR_PEOPLE = "[full-screen program: its screen is not part of the log; use limpet screen]";

export interface LogsRequest {
  readonly key: SessionKey;
  readonly grep: string | undefined;
  readonly tail: number | undefined;
  readonly isRaw: boolean;
  readonly isJson: boolean;
}

/** Prints the output so far. Returns 1 if `grep` matched nothing, like grep. */
export async function showLogs(sessions: SessionService, request: LogsRequest): Promise<number> {
  return await show(sessions, request, { isLive: false });
}

/** Prints the output until the program has ended. */
export async function followLogs(sessions: SessionService, request: LogsRequest): Promise<number> {
  return await show(sessions, request, { isLive: true });
}

/** Loaded on demand: the pattern engine is large, and `limpet run` does not need it. */
async function patternOf({ grep }: LogsRequest): Promise<Pattern | undefined> {
  if (grep === undefined) return undefined;
  const { compilePattern } = await import("../../text/search/pattern.ts");
  return compilePattern(grep);
}

async function show(
  sessions: SessionService,
  request: LogsRequest,
  { isLive }: { readonly isLive: boolean },
): Promise<number> {
  const found = await sessions.find(request.key);
  const { outputBytes } = found;
  const key = keyOf(found);
  const lines = new LogLines(request, await patternOf(request));
  const from = request.tail === undefined ? 0 : await tailStart(sessions, key, request.tail);
  for await (const part of sessions.transcript(key, { from, isLive })) {
    if (!(await lines.take(part))) return OK;
    // Live output is shown before its lines are complete.
    if (isLive && lines.cursor >= outputBytes && !(await lines.showAll())) return OK;
  }
  await lines.end();
  return lines.code;
}

async function tailStart(sessions: SessionService, key: SessionKey, lines: number): Promise<number> {
  return (await readOutput(sessions, key, { kind: "tail", lines, maxTokens: Number.MAX_SAFE_INTEGER })).from;
}

class LogLines {
  readonly #request: LogsRequest;
  readonly #pattern: Pattern | undefined;
  readonly #raw = new ShownOutput({ intoPipe: "bytes" });
  #size: TerminalSize | null | undefined;
  #cleaner = new Cleaner();
  #cursor = 0;
  #rest = "";
  #count = 0;

  constructor(request: LogsRequest, pattern: Pattern | undefined) {
    this.#request = request;
    this.#pattern = pattern;
  }

  /** All output before this cursor was taken. */
  get cursor(): number {
    return this.#cursor;
  }

  get code(): number {
    return this.#pattern && this.#count === 0 ? FAILED : OK;
  }

  /** False if the reader of stdout is gone. */
  async take(part: TranscriptPart): Promise<boolean> {
    switch (part.kind) {
      case "size":
        if (this.#size === undefined) this.#cleaner = new Cleaner(part.size ?? {});
        this.#size = part.size;
        return true;
      case "output": {
        const { bytes, dropped, next } = part.page;
        this.#cursor = next;
        if (dropped > 0) await this.#drop(dropped);
        return await this.#push(bytes);
      }
      default:
        return await this.#showCommand(part);
    }
  }

  async #push(bytes: Uint8Array): Promise<boolean> {
    if (this.#isRaw) return await this.#raw.write(bytes);
    this.#cleaner.push(bytes);
    return await this.#give(this.#cleaner.drain().text);
  }

  /** A command is shown on lines of its own, but not with `--raw`, which prints exactly the program's bytes. */
  async #showCommand(part: CommandPart): Promise<boolean> {
    if (this.#isRaw) return true;
    await this.#finishLine();
    this.#cleaner = new Cleaner(this.#size ?? {});
    if (!this.#request.isJson) return await this.#give(`${commandLines(part).join("\n")}\n`);
    const isWanted = !this.#pattern || commandLines(part).some((line) => this.#pattern?.test(line));
    return isWanted ? await writeJsonLines([commandJson(part)]) : true;
  }

  get #isRaw(): boolean {
    return this.#request.isRaw && !this.#request.isJson;
  }

  /** Also prints lines that the program may still redraw. */
  async showAll(): Promise<boolean> {
    return await this.#give(this.#cleaner.take().text);
  }

  async #drop(bytes: number): Promise<void> {
    if (this.#request.isJson) await writeJsonLines([{ dropped: bytes }]);
    else if (!this.#request.isRaw) await writeText(`[${bytes} bytes of older output were dropped]\n`);
  }

  async end(): Promise<void> {
    if (this.#isRaw) return await this.#raw.end();
    await this.#finishLine();
  }

  async #finishLine(): Promise<void> {
    this.#cleaner.end();
    await this.#give(this.#cleaner.take().text);
    if (this.#rest !== "") await this.#give("\n");
  }

  async #give(text: string): Promise<boolean> {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    const wanted = lines.filter((line) => !this.#pattern || this.#pattern.test(line));
    if (wanted.length === 0) return true;
    this.#count += wanted.length;
    const shown = wanted.map((line) => (line === ALTERNATE_SCREEN_NOTE ? FOR_PEOPLE : line));
    if (!this.#request.isJson) return await writeText(`${shown.join("\n")}\n`);
    return await writeJsonLines(shown.map((line) => ({ line })));
  }
}

/** What a script needs of a command; `limpet history --json` has the rest. */
function commandJson({ kind, command }: CommandPart): object {
  const { number, command: text, exitCode, durationMs } = command;
  return kind === "started" ? { started: { number, command: text } } : { finished: { number, exitCode, durationMs } };
}
