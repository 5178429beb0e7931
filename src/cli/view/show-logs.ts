/** Prints a session's output line by line, for a person or a script. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { SessionKey, SessionService } from "../../service/session-service.ts";
import { readOutput } from "../../service/simple-turns.ts";
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

/** Prints the current output. Returns 1 if `grep` matched nothing, like grep. */
export async function showLogs(sessions: SessionService, request: LogsRequest): Promise<number> {
  const { id, outputBytes, size } = await sessions.find(request.key);
  const lines = new LogLines(request, { size, pattern: await patternOf(request) });
  return await show(sessions, lines, { id, tail: request.tail, to: outputBytes, knownTo: outputBytes });
}

/** Prints the output until the program has ended. */
export async function followLogs(sessions: SessionService, request: LogsRequest): Promise<number> {
  const { id, outputBytes, size } = await sessions.find(request.key);
  const lines = new LogLines(request, { size, pattern: await patternOf(request) });
  return await show(sessions, lines, { id, tail: request.tail, to: Number.POSITIVE_INFINITY, knownTo: outputBytes });
}

/** Loaded on demand: the pattern engine is large, and `limpet run` does not need it. */
async function patternOf({ grep }: LogsRequest): Promise<Pattern | undefined> {
  if (grep === undefined) return undefined;
  const { compilePattern } = await import("../../text/search/pattern.ts");
  return compilePattern(grep);
}

interface Range {
  readonly id: number;
  readonly tail: number | undefined;
  /** Where to stop. */
  readonly to: number;
  /** Output after this is live: lines are shown before they are complete. */
  readonly knownTo: number;
}

async function show(sessions: SessionService, lines: LogLines, { id, tail, to, knownTo }: Range): Promise<number> {
  const from = tail === undefined ? 0 : await tailStart(sessions, id, tail);
  if (from >= to) return lines.code;
  for await (const page of sessions.output(id, { from })) {
    if (page.dropped > 0) await lines.drop(page.dropped);
    // The last page may contain output that came after the request.
    const bytes = page.next > to ? page.bytes.subarray(0, Math.max(0, to - page.from)) : page.bytes;
    if (!(await lines.push(bytes))) return OK;
    if (page.next >= to) break;
    if (page.next >= knownTo && !(await lines.showAll())) return OK;
  }
  await lines.end();
  return lines.code;
}

async function tailStart(sessions: SessionService, id: number, lines: number): Promise<number> {
  return (await readOutput(sessions, id, { kind: "tail", lines, maxTokens: Number.MAX_SAFE_INTEGER })).from;
}

interface LogLinesOptions {
  readonly size: TerminalSize | null;
  readonly pattern: Pattern | undefined;
}

class LogLines {
  readonly #request: LogsRequest;
  readonly #cleaner: Cleaner;
  readonly #pattern: Pattern | undefined;
  readonly #raw = new ShownOutput({ intoPipe: "bytes" });
  #rest = "";
  #count = 0;

  constructor(request: LogsRequest, { size, pattern }: LogLinesOptions) {
    this.#request = request;
    this.#cleaner = new Cleaner(size ?? {});
    this.#pattern = pattern;
  }

  get code(): number {
    return this.#pattern && this.#count === 0 ? FAILED : OK;
  }

  /** False if nobody reads stdout any more. */
  async push(bytes: Uint8Array): Promise<boolean> {
    if (this.#request.isRaw && !this.#request.isJson) return await this.#raw.write(bytes);
    this.#cleaner.push(bytes);
    return await this.#give(this.#cleaner.drain().text);
  }

  /** Also prints lines that the program may still redraw. */
  async showAll(): Promise<boolean> {
    return await this.#give(this.#cleaner.take().text);
  }

  async drop(bytes: number): Promise<void> {
    if (this.#request.isJson) await writeJsonLines([{ dropped: bytes }]);
    else if (!this.#request.isRaw) await writeText(`[${bytes} bytes of older output were dropped]\n`);
  }

  async end(): Promise<void> {
    if (this.#request.isRaw && !this.#request.isJson) return await this.#raw.end();
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
