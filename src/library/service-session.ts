/** Implements `Session` with a service. Every method is one turn. */
import type { Cursor, Page } from "../base/cursor.ts";
import type { Exit } from "../base/exit.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { typeName } from "../base/require-env.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import { parseStroke, type Stroke } from "../keys/parse-stroke.ts";
import type { EndReport } from "../linux/processes/kill-process-tree.ts";
import { slowness } from "../linux/processor-load.ts";
import type { RecordingState } from "../record/record-session.ts";
import type { RecordOptions } from "../record/record-source.ts";
import { screenText } from "../screen/screen-text.ts";
import type { SessionName } from "../service/listing/session-name.ts";
import type { SessionState } from "../service/listing/session-state.ts";
import type { SessionService } from "../service/session-service.ts";
import { untilExited } from "../service/turn/simple-turns.ts";
import type { ScreenView, TurnAnswer } from "../service/turn/turn-answer.ts";
import type { TurnInput, TurnRequest, TurnWait } from "../service/turn/turn-request.ts";
import type { SearchOptions, SessionReading, TextOptions } from "../session/read/read-digest.ts";
import type { GrepResult } from "../text/search/grep.ts";
import { cleanLines } from "./clean-lines.ts";
import {
  CLOSE,
  OUTPUT,
  RECORD,
  SCREEN,
  SEARCH,
  SEND,
  SIGNAL,
  SIZE,
  STOP_RECORDING,
  TEXT,
  WAIT,
} from "./option-names.ts";
import { replyOf, withoutEcho } from "./reply-of.ts";
import { requireInput, requireOptions, requireText } from "./require-options.ts";
import type { Reply, ScreenImage, ScreenOptions, SendOptions, Session, WaitOptions } from "./session.ts";

const DEFAULT_TIMEOUT_MS = 10_000;
/**
 * A program that has printed nothing for this long counts as ready, even if it does not wait for input. On a busy
 * machine an interpreter takes a second and more to start.
 */
const READY_QUIET_MS = 3_000;
const MOST_SLOWNESS = 4;
/** No limit of its own: the journal bounds the text. */
const ALL_TOKENS = Number.MAX_SAFE_INTEGER;

export class ServiceSession implements Session {
  readonly id: number;
  readonly name: string | null;
  readonly #service: SessionService;
  readonly #caller: string;
  /** Nothing was typed through this object yet. */
  #isNew: boolean;
  #closing: Promise<EndReport> | undefined;

  constructor(
    service: SessionService,
    { id, name }: Pick<SessionName, "id" | "name">,
    { caller, hasReplied = false }: { readonly caller: string; readonly hasReplied?: boolean },
  ) {
    this.id = id;
    this.name = name;
    this.#service = service;
    this.#caller = caller;
    this.#isNew = !hasReplied;
  }

  async send(text: string, options: SendOptions = {}): Promise<Reply> {
    requireText("text", text);
    requireOptions("send", options, SEND, 'Write, for example, send("text\\n", { timeoutMs: 5000 }).');
    const reply = await this.#type([{ kind: "text", text }], options);
    return options.echo ? reply : { ...reply, text: withoutEcho(reply.text, text) };
  }

  async press(keys: string | readonly string[], options: SendOptions = {}): Promise<Reply> {
    const names = typeof keys === "string" ? [keys] : keys;
    requireKeys(names);
    requireOptions("press", options, SEND, 'To press several keys, pass one list: press(["Up", "Enter"]).');
    return await this.#type(names.map(parseStroke), options);
  }

  async paste(text: string, options: SendOptions = {}): Promise<Reply> {
    requireText("text", text);
    requireOptions("paste", options, SEND, "Write, for example, paste(text, { timeoutMs: 5000 }).");
    return await this.#type([{ kind: "paste", text }], options);
  }

  async write(input: string | Uint8Array | null): Promise<void> {
    if (input !== null) requireInput(input);
    this.#isNew = false;
    await this.#service.write(this.id, input, { caller: this.#caller });
  }

  async wait(options: WaitOptions = {}): Promise<Reply> {
    requireOptions("wait", options, WAIT, "Write, for example, wait({ until: /ready/ }).");
    return await this.#reply(options);
  }

  async exited(options: { readonly signal?: AbortSignal } = {}): Promise<Exit> {
    requireOptions("exited", options, SIGNAL, "Write exited(), or exited({ signal }).");
    const { signal = new AbortController().signal } = options;
    return await untilExited(this.#service, this.id, signal);
  }

  async text(options: TextOptions = {}): Promise<string> {
    requireOptions("text", options, TEXT, "Write, for example, text({ maxTokens: 1000 }).");
    const read = { kind: "text", maxTokens: ALL_TOKENS, fold: false, ...options } as const;
    return ((await this.#turn({ read })).output as SessionReading).text;
  }

  async *lines(options: { readonly signal?: AbortSignal } = {}): AsyncGenerator<string, void, undefined> {
    requireOptions("lines", options, SIGNAL, "Write lines(), or lines({ signal }).");
    const { signal } = options;
    const { size } = await this.#service.find(this.id);
    yield* cleanLines(this.output(signal ? { signal } : {}), size ?? {});
  }

  output(options: { readonly from?: Cursor; readonly signal?: AbortSignal } = {}): AsyncIterable<Page> {
    requireOptions("output", options, OUTPUT, "Write, for example, output({ from: 0 }).");
    return this.#service.output(this.id, options);
  }

  async search(pattern: string, options: SearchOptions = {}): Promise<GrepResult> {
    requireOptions("search", options, SEARCH, 'Write, for example, search("error", { context: 2 }).');
    return (await this.#turn({ read: { kind: "search", pattern, ...options } })).matches as GrepResult;
  }

  async screen(options: ScreenOptions = {}): Promise<ScreenImage> {
    requireOptions("screen", options, SCREEN, "Write, for example, screen({ until: /ready/ }).");
    const { until, stableMs, timeoutMs = DEFAULT_TIMEOUT_MS, signal, ...snapshot } = options;
    const isWait = until !== undefined || stableMs !== undefined;
    const wait: TurnWait = {
      kind: "screen",
      deadlineMs: timeoutMs,
      ...(until === undefined ? {} : { until }),
      ...(stableMs === undefined ? {} : { stableMs }),
    };
    const read = { kind: "screen", ...snapshot } as const;
    const { screen } = await this.#turn({ read, signal, ...(isWait ? { wait } : {}) });
    const view = screen as ScreenView;
    return { ...view.snapshot, text: screenText(view.snapshot), reason: view.reason };
  }

  async status(): Promise<SessionState> {
    return (await this.#turn({})).session;
  }

  async resize(size: TerminalSize): Promise<void> {
    requireOptions("resize", size, SIZE, "Write, for example, resize({ cols: 80, rows: 24 }).");
    await this.#service.resize(this.id, size, { caller: this.#caller });
  }

  async record(options: RecordOptions): Promise<RecordingState> {
    requireOptions("record", options, RECORD, 'Write, for example, record({ file: "demo.cast" }).');
    requireText("file", options.file);
    return await this.#service.record(this.id, options);
  }

  async stopRecording(options: { readonly file?: string } = {}): Promise<readonly RecordingState[]> {
    requireOptions(
      "stopRecording",
      options,
      STOP_RECORDING,
      'Write stopRecording(), or stopRecording({ file: "demo.cast" }).',
    );
    return await this.#service.stopRecording(this.id, options);
  }

  async close(options: { readonly force?: boolean } = {}): Promise<EndReport> {
    requireOptions("close", options, CLOSE, "Write close(), or close({ force: true }).");
    const { force = false } = options;
    this.#closing ??= this.#service.close(this.id, { force }).then(({ report }) => report);
    return await this.#closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #type(strokes: readonly Stroke[], options: SendOptions): Promise<Reply> {
    if (this.#isNew) await this.#untilReady(options);
    return await this.#reply(options, { strokes });
  }

  /** Input that is typed before the program reads would be echoed in the middle of its first output. */
  async #untilReady({ timeoutMs = DEFAULT_TIMEOUT_MS, signal }: SendOptions): Promise<void> {
    const wait = { kind: "output", deadlineMs: timeoutMs, quietMs: readyQuietMs() } as const;
    await this.#turn({ wait, signal, read: { kind: "unread", maxTokens: 0 } });
    this.#isNew = false;
  }

  async #reply(options: WaitOptions, input?: TurnInput): Promise<Reply> {
    const wait = outputWait(options);
    const read = { kind: "unread", maxTokens: ALL_TOKENS, fold: false, endAtMatch: true } as const;
    return replyOf(await this.#turn({ input, wait, read, signal: options.signal }));
  }

  #turn(request: Omit<TurnRequest, "caller" | "on">): Promise<TurnAnswer> {
    return this.#service.turn({ caller: this.#caller, on: { kind: "session", key: this.id }, ...request });
  }
}

/** Before any of them is pressed. */
function requireKeys(keys: unknown): void {
  if (!Array.isArray(keys))
    throw new LimpetError(
      "BAD_OPTION",
      `keys must be a string or an array of strings (got ${typeName(keys)}). Write, for example, press(["Up", "Enter"]).`,
    );
  for (const [index, key] of keys.entries()) requireText(`keys[${index}]`, key);
}

/** On a busy machine, a program takes longer to start. */
function readyQuietMs(): number {
  return Math.round(READY_QUIET_MS * slowness(MOST_SLOWNESS));
}

/** A named condition replaces the default one, which is waiting for input. */
function outputWait({ until, onInput, quietMs, port, timeoutMs = DEFAULT_TIMEOUT_MS }: WaitOptions): TurnWait {
  const isNamed = until !== undefined || quietMs !== undefined || port !== undefined;
  return {
    kind: "output",
    deadlineMs: timeoutMs,
    onInput: onInput ?? !isNamed,
    ...(until === undefined ? {} : { until }),
    ...(quietMs === undefined ? {} : { quietMs }),
    ...(port === undefined ? {} : { port }),
  };
}
