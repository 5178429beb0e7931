/**
 * A session's screen as people see it: like the program's own, with a line for each command that an agent ran. It is
 * drawn here, from the transcript, because the screen that agents read must not have these lines.
 */
import { randomUUID } from "node:crypto";
import type { DrawingModes, TerminalModes } from "../../base/terminal-modes.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import { CommandWeaver } from "../../record/command-lines.ts";
import { Guard } from "../../screen/drawing/guard.ts";
import { HeadlessTerminal } from "../../screen/drawing/headless-terminal.ts";
import { paintScreen } from "../../screen/painting/paint-screen.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import { takeSnapshot } from "../../screen/take-snapshot.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionService } from "../../service/session-service.ts";
import { readScreen } from "../../service/turn/simple-turns.ts";
import type { TranscriptPart } from "../../session/transcript-part.ts";

/** More than a few screens of commands: drawn in some milliseconds. */
const REPLAYED_BYTES = 256 * 1024;
/** For output that has no terminal. */
const PIPE_SIZE: TerminalSize = { cols: 120, rows: 30 };

export class PersonScreen {
  readonly #terminal: HeadlessTerminal;
  readonly #guard: Guard;
  readonly #weaver = new CommandWeaver();
  #cursor: number;
  #missedBytes = 0;

  constructor({ size, cursor }: { readonly size: TerminalSize | null; readonly cursor: number }) {
    const shown = size ?? PIPE_SIZE;
    this.#guard = new Guard(shown);
    const lineEnds = size === null ? "to the left" : "as they are";
    this.#terminal = new HeadlessTerminal({ size: shown, scrollback: 0, lineEnds });
    this.#cursor = cursor;
  }

  /** All output before this cursor is drawn. */
  get cursor(): number {
    return this.#cursor;
  }

  get modes(): TerminalModes & DrawingModes {
    return { ...this.#terminal.modes, ...this.#terminal.drawingModes };
  }

  snapshot(): Snapshot {
    const { title } = this.#guard;
    const missedBytes = this.#missedBytes + this.#terminal.lostBytes;
    return takeSnapshot({ terminal: this.#terminal, cursor: this.#cursor, title, missedBytes }, { cells: true });
  }

  /** Draws what happened next. */
  async take(part: TranscriptPart): Promise<void> {
    switch (part.kind) {
      case "output": {
        const { bytes, next, dropped } = part.page;
        if (dropped > 0) this.#guard.interrupt();
        this.#missedBytes += dropped;
        this.#cursor = next;
        this.#weaver.noteOutput(bytes);
        await this.#terminal.write(this.#guard.push(bytes));
        return;
      }
      case "size":
        if (part.size) this.#resize(part.size);
        return;
      default:
        await this.draw(this.#weaver.weave(part));
    }
  }

  /** Draws text and sequences of our own. */
  async draw(text: string): Promise<void> {
    this.#weaver.noteOutput(Buffer.from(text));
    await this.#terminal.write(this.#guard.push(Buffer.from(text)));
  }

  dispose(): void {
    this.#terminal.dispose();
  }

  #resize(size: TerminalSize): void {
    this.#guard.resize(size);
    this.#terminal.resize(size);
  }
}

/**
 * The screen up to its cursor, ready for the output that follows. It is drawn from the beginning of a recent command;
 * without one, it starts as the program's own screen.
 */
export async function openPersonScreen(sessions: SessionService, key: SessionKey): Promise<PersonScreen> {
  const [{ outputBytes, size }, commands] = [await sessions.find(key), await sessions.history(key)];
  const isNear = (from: number) => from >= outputBytes - REPLAYED_BYTES;
  const from = outputBytes <= REPLAYED_BYTES ? 0 : commands.find((command) => isNear(command.from))?.from;
  if (from !== undefined || size === null) {
    return new PersonScreen({ size, cursor: from ?? outputBytes - REPLAYED_BYTES });
  }
  const caller = `limpet view ${randomUUID()}`;
  const { snapshot, modes } = await readScreen(sessions, key, { caller, cells: true });
  const screen = new PersonScreen({ size: snapshot.size, cursor: snapshot.cursor });
  await screen.draw(paintScreen({ snapshot, modes }));
  return screen;
}

/** The screen with everything that has happened so far. */
export async function readPersonScreen(sessions: SessionService, key: SessionKey): Promise<Snapshot> {
  const screen = await openPersonScreen(sessions, key);
  try {
    for await (const part of sessions.transcript(key, { from: screen.cursor, isLive: false })) await screen.take(part);
    return screen.snapshot();
  } finally {
    screen.dispose();
  }
}
