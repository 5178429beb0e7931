/**
 * Collects what happens in a terminal besides output (size changes, input, the commands of a shell) until it is
 * recorded at its cursor.
 */
import type { Cursor } from "../base/cursor.ts";
import { MAX_UNRECORDED_INPUT_BYTES } from "../base/limits.ts";
import type { SizeChange } from "../journal/timeline.ts";
import type { Typed } from "../session/input/session-input.ts";
import { commandLabel } from "./command-lines.ts";
import type { CommandMark } from "./command-marks.ts";
import type { InputEvent } from "./pieces-of.ts";

interface EventSources {
  readonly sizes: () => readonly SizeChange[];
  readonly commands: () => readonly CommandMark[];
}

export class InputEvents {
  readonly #sizes: () => readonly SizeChange[];
  /** The latest size in the recording. */
  #lastSize: SizeChange | undefined;
  #typed: InputEvent[] = [];
  #typedBytes = 0;
  readonly #commands: () => readonly CommandMark[];
  /** The order of the latest command mark in the recording. */
  #lastMark: number;

  /** Sizes up to `from` are skipped: the header contains the size at `from`. So are commands before it. */
  constructor({ sizes, commands }: EventSources, from: Cursor) {
    this.#sizes = sizes;
    this.#lastSize = sizes().findLast(({ cursor }) => cursor <= from);
    this.#commands = commands;
    this.#lastMark = commands().findLast(({ cursor }) => cursor < from)?.order ?? 0;
  }

  noteTyped({ bytes, cursor, atMs }: Typed): void {
    this.#typedBytes += bytes.length;
    if (this.#typedBytes > MAX_UNRECORDED_INPUT_BYTES) return;
    const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    this.#typed.push({ cursor, event: { kind: "input", text, atMs } });
  }

  /** The events at or before `cursor`, in order. Each is returned once. */
  take(cursor: Cursor): readonly InputEvent[] {
    const typed = this.#typed.filter((entry) => entry.cursor <= cursor);
    this.#typed = this.#typed.filter((entry) => entry.cursor > cursor);
    if (this.#typed.length === 0) this.#typedBytes = 0;
    return [...this.#takeSizes(cursor), ...this.#takeCommands(cursor), ...typed].sort(
      (one, other) => one.cursor - other.cursor || one.event.atMs - other.event.atMs,
    );
  }

  #takeCommands(cursor: Cursor): readonly InputEvent[] {
    const fresh = this.#commands().filter((mark) => mark.order > this.#lastMark && mark.cursor <= cursor);
    this.#lastMark = fresh.at(-1)?.order ?? this.#lastMark;
    return fresh.map(({ part, atMs, ...mark }) => ({
      cursor: mark.cursor,
      event: { kind: "marker", label: commandLabel(part), atMs },
      command: part,
    }));
  }

  #takeSizes(cursor: Cursor): readonly InputEvent[] {
    const sizes = this.#sizes();
    // The timeline may have dropped the last known size. Then all kept sizes except the first are later.
    const known = Math.max(0, this.#lastSize ? sizes.lastIndexOf(this.#lastSize) : -1);
    const fresh = sizes.slice(known + 1).filter((change) => change.cursor <= cursor);
    this.#lastSize = fresh.at(-1) ?? this.#lastSize;
    return fresh.map((change) => ({
      cursor: change.cursor,
      event: { kind: "resize", size: change.size, atMs: change.atMs },
    }));
  }
}
