/**
 * What a person sees at once on attaching: the output, played again. Of a long one only the latest part is, for the modes that it
 * sets; over that the screen is drawn, as what stands there may have been printed long before.
 */
import { randomUUID } from "node:crypto";
import type { Snapshot } from "../../screen/snapshot.ts";
import { AlternateScreen } from "../../session/alternate-screen.ts";
import type { Sessions } from "../../sessions/sessions.ts";
import { colouredRows } from "../screen/coloured-rows.ts";
import { CLEAR_SCREEN, ENTER_ALTERNATE_SCREEN, HIDE_CARET, LEAVE_ALTERNATE_SCREEN, SHOW_CARET } from "./sequences.ts";

/** Some screens full; more would only scroll by. */
const REPLAYED_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

export interface Repaint {
  readonly bytes: Uint8Array;
  /** Where the live output begins. */
  readonly cursor: number;
}

export async function repaintOf(sessions: Sessions, id: number, signal: AbortSignal): Promise<Repaint> {
  const { outputBytes, size } = await sessions.identify(id);
  const from = Math.max(0, outputBytes - REPLAYED_BYTES);
  if (from === 0 || size === null) return await replayed(sessions, id, { from, to: outputBytes, signal });
  const { snapshot } = await sessions.screen(id, { caller: `attach ${randomUUID()}`, cells: true });
  // Up to where the snapshot is: what comes later comes live.
  const { bytes, cursor } = await replayed(sessions, id, { from, to: snapshot.cursor, signal });
  const screen = new AlternateScreen();
  screen.note(bytes);
  return { bytes: Buffer.concat([bytes, Buffer.from(paint(snapshot, screen))]), cursor };
}

interface Part {
  readonly from: number;
  readonly to: number;
  readonly signal: AbortSignal;
}

async function replayed(sessions: Sessions, id: number, { from, to, signal }: Part): Promise<Repaint> {
  const parts: Uint8Array[] = [];
  let cursor = from;
  if (to > from) {
    for await (const page of sessions.output(id, { from, signal })) {
      parts.push(page.bytes.subarray(0, page.bytes.length - Math.max(0, page.next - to)));
      cursor = Math.min(page.next, to);
      if (cursor >= to) break;
    }
  }
  const tail = Buffer.concat(parts);
  // Half a line or half a sequence at the beginning is better left out.
  const start = from === 0 ? 0 : tail.indexOf(LINE_FEED) + 1;
  return { bytes: Buffer.concat([Buffer.from(CLEAR_SCREEN), withoutQueries(tail.subarray(start))]), cursor };
}

/** Row for row, without wrapping: the person's terminal may be narrower. */
function paint(snapshot: Snapshot, { isActive }: AlternateScreen): string {
  const { caret, isAlternate } = snapshot;
  const change = isAlternate ? ENTER_ALTERNATE_SCREEN : LEAVE_ALTERNATE_SCREEN;
  return [
    isActive === isAlternate ? "" : change,
    `\x1b[0m\x1b[?7l${CLEAR_SCREEN}`,
    ...colouredRows(snapshot).map((row, index) => `\x1b[${index + 1};1H${row}`),
    `\x1b[?7h\x1b[${caret.row + 1};${caret.col + 1}H${caret.isVisible ? SHOW_CARET : HIDE_CARET}`,
  ].join("");
}

/**
 * Questions to the terminal, which it would answer by typing: DA, DSR, DECRQM, window and key reports, XTVERSION, whole DCS, ENQ;
 * and what must not happen again because it has happened: bells, and the OSC that set the clipboard, or ask for colours.
 */
const QUERY = new RegExp(
  [
    "\\x1b\\[[?>=]?[\\d;]*[cnx]",
    "\\x1b\\[\\??[\\d;]*\\$p",
    "\\x1b\\[>[\\d;]*q",
    "\\x1b\\[\\?u",
    "\\x1b\\[(?:1[1-9]|2[01])(?:;\\d*)*t",
    "\\x1bP[^\\x1b\\x07]*(?:\\x1b\\\\|\\x07)",
    "\\x05",
  ].join("|"),
  "g",
);
/** A whole OSC, or a bell that ends none. What it says is looked at afterwards: a pattern for that would try every `;?` of a long one. */
const OSC_OR_BELL = /\x1b\]([^\x1b\x07]*)(?:\x1b\\|\x07)|\x07/g;

/** Pure. For output that is shown a second time. */
export function withoutQueries(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const quiet = text
    .replace(QUERY, "")
    .replace(OSC_OR_BELL, (whole, said: string | undefined) => (said === undefined || isQuery(said) ? "" : whole));
  return Buffer.from(quiet, "latin1");
}

function isQuery(osc: string): boolean {
  return osc.startsWith("52;") || osc.includes(";?");
}
