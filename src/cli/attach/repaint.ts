/** What a person sees at once on attaching: the latest part of the output, played again. */
import type { Sessions } from "../../sessions/sessions.ts";
import { CLEAR_SCREEN } from "./sequences.ts";

/** Some screens full; more would only scroll by. */
const REPLAYED_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

export interface Repaint {
  readonly bytes: Uint8Array;
  /** Where the live output begins. */
  readonly cursor: number;
}

export async function repaintOf(sessions: Sessions, id: number, signal: AbortSignal): Promise<Repaint> {
  const { outputBytes } = await sessions.identify(id);
  const from = Math.max(0, outputBytes - REPLAYED_BYTES);
  const parts: Uint8Array[] = [];
  let cursor = from;
  if (outputBytes > from) {
    for await (const page of sessions.output(id, { from, signal })) {
      parts.push(page.bytes);
      cursor = page.next;
      if (cursor >= outputBytes) break;
    }
  }
  const tail = Buffer.concat(parts);
  // Half a line or half a sequence at the beginning is better left out.
  const start = from === 0 ? 0 : tail.indexOf(LINE_FEED) + 1;
  return { bytes: Buffer.concat([Buffer.from(CLEAR_SCREEN), withoutQueries(tail.subarray(start))]), cursor };
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
    "\\x1b\\](?:52;|[^\\x1b\\x07]*;\\?)[^\\x1b\\x07]*(?:\\x1b\\\\|\\x07)",
    "\\x05",
  ].join("|"),
  "g",
);
/** Not the one that ends an OSC. */
const BELL = /(\x1b\][^\x1b\x07]*\x07)|\x07/g;

/** Pure. For output that is shown a second time. */
export function withoutQueries(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  const quiet = text.replace(QUERY, "").replace(BELL, (_, osc: string | undefined) => osc ?? "");
  return Buffer.from(quiet, "latin1");
}
