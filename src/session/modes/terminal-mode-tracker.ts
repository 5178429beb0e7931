/**
 * Tracks in the output which terminal modes a program has set, so that a key can be sent in the form that the program
 * expects, without drawing its screen.
 *
 * An ESC ends every open string, so a string cannot hide a sequence: the tracker skips from ESC to ESC.
 */
import type { TerminalModes } from "../../base/terminal-modes.ts";
import type { CsiParams } from "../../text/escape/csi-params.ts";
import { EscapeTokenizer } from "../../text/escape/escape-tokenizer.ts";
import { shortCsiEnd } from "../../text/escape/short-csi-end.ts";
import {
  applyMode,
  INITIAL_MODES,
  keyLevelAfter,
  resetSoftly,
  restoreCaret,
  saveCaret,
  type TrackedModes,
} from "./apply-mode.ts";
import { undoSequences } from "./reset-sequences.ts";

const ESC = 0x1b;
/** The prefix `?` of DECSET and DECRST. */
const PRIVATE = 0x3f;
/** The prefix `>` of XTMODKEYS. */
const XTERM = 0x3e;
/** The finals of SCOSC and SCORC. */
const SAVE = 0x73;
const RESTORE = 0x75;

export class TerminalModeTracker {
  readonly #escape = new EscapeTokenizer();
  #modes: TrackedModes = INITIAL_MODES;

  /** The modes that decide how keys, pastes and mouse events are sent. */
  get keyModes(): TerminalModes {
    const { isAlternateScreen, isOriginMode, isCaretHidden, savedOrigin, ...modes } = this.#modes;
    return modes;
  }

  /** The program uses the alternate screen, as editors and pagers do. */
  get isAlternateScreen(): boolean {
    return this.#modes.isAlternateScreen;
  }

  /** DECOM: rows count from the top of the scrolling region. */
  get isOriginMode(): boolean {
    return this.#modes.isOriginMode;
  }

  /** A program has set a mode that it has not reset. */
  get isChanged(): boolean {
    return this.undo !== "";
  }

  /** The sequences that reset the modes that are set; empty if none is. */
  get undo(): string {
    return this.#modes === INITIAL_MODES ? "" : undoSequences(this.#modes);
  }

  /** DECTCEM: the program hides the caret, as menus and spinners do. */
  get isCaretHidden(): boolean {
    return this.#modes.isCaretHidden;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      if (this.#escape.isIdle) {
        at = nextSequence(bytes, at);
        if (at === bytes.length) return;
        this.#escape.begin();
        at += 1;
      } else at = this.#readSequence(bytes, at);
    }
  }

  #readSequence(bytes: Uint8Array, at: number): number {
    const next = this.#escape.read(bytes, at);
    const { step } = this.#escape;
    if (step === "csi") this.#actOnCsi();
    else if (step === "escape") this.#actOnEscape(this.#escape.name);
    else if (step === "string-begin") this.#escape.abort();
    return step === "control" ? next + 1 : next;
  }

  #actOnCsi(): void {
    const { prefix, name, params } = this.#escape;
    if (prefix === PRIVATE && name === "h") this.#applyAll(params, "set");
    else if (prefix === PRIVATE && name === "l") this.#applyAll(params, "reset");
    else if (prefix === XTERM && name === "m") this.#setKeyLevel(params.numbers());
    else if (prefix === XTERM && name === "n") this.#setKeyLevel(params.numbers().slice(0, 1));
    else if (prefix === 0 && name === "s") this.#modes = saveCaret(this.#modes);
    else if (prefix === 0 && name === "u") this.#modes = restoreCaret(this.#modes);
    else if (prefix === 0 && name === "!p") this.#modes = resetSoftly(this.#modes);
  }

  #actOnEscape(name: string): void {
    // DECKPAM, DECKPNM, DECSC, DECRC and RIS.
    if (name === "=") this.#modes = { ...this.#modes, applicationKeypad: true };
    else if (name === ">") this.#modes = { ...this.#modes, applicationKeypad: false };
    else if (name === "7") this.#modes = saveCaret(this.#modes);
    else if (name === "8") this.#modes = restoreCaret(this.#modes);
    else if (name === "c") this.#modes = INITIAL_MODES;
  }

  #applyAll(params: CsiParams, action: "set" | "reset"): void {
    for (let index = 0; index < params.length; index++) {
      if (!params.isSubParam(index)) this.#modes = applyMode(this.#modes, params.get(index, 0), action);
    }
  }

  #setKeyLevel(numbers: readonly number[]): void {
    const modifyOtherKeys = keyLevelAfter(this.#modes.modifyOtherKeys, numbers);
    this.#modes = { ...this.#modes, modifyOtherKeys };
  }
}

/**
 * Where the next sequence starts that may set a mode, unlike colours and movements; the end of the bytes if there is
 * none.
 */
function nextSequence(bytes: Uint8Array, at: number): number {
  // Most chunks contain no sequence, and indexOf finds that out faster than a loop.
  if (at === 0 && Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(ESC) < 0) return bytes.length;
  let i = at;
  while (i < bytes.length) {
    if (bytes[i] !== ESC) i += 1;
    else {
      const end = shortCsiEnd(bytes, i);
      const final = bytes[end - 1];
      if (end < 0 || final === SAVE || final === RESTORE) return i;
      i = end;
    }
  }
  return i;
}
