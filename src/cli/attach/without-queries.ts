/** Takes out of a piece of output what must not act again when a terminal shows it a second time. */
import type { EscapeTokenizer } from "../../text/escape/escape-tokenizer.ts";
import { type Token, tokensOf } from "../../text/escape/tokens-of.ts";

const ENQ = 0x05;
const BEL = 0x07;
const DCS = 0x50;
const OSC = 0x5d;
/**
 * Questions to the terminal, which it would answer by typing: DSR, DECREQTPARM, DECRQM, the three DA, XTVERSION, and
 * the keyboard protocol of kitty. Prefix and name of the CSI sequence.
 */
const QUERIES: ReadonlySet<string> = new Set(["n", "?n", "x", "$p", "?$p", "c", ">c", "=c", "?c", ">q", "?u"]);
/** XTWINOPS: these report the window, the others change it. */
const FIRST_WINDOW_REPORT = 11;
const LAST_WINDOW_REPORT = 21;

/**
 * The output without questions to the terminal, without bells, and without an OSC that sets the clipboard or asks for
 * colours. DCS are left out as well: most of them are questions.
 */
export function withoutQueries(bytes: Uint8Array): Uint8Array {
  const kept: Uint8Array[] = [];
  for (const token of tokensOf(bytes)) {
    if (!isQuery(bytes, token)) kept.push(silent(bytes, token));
  }
  return Buffer.concat(kept);
}

function isQuery(bytes: Uint8Array, { kind, from, to, sequence }: Token): boolean {
  if (kind === "csi") return isCsiQuery(sequence);
  if (kind !== "string" || (sequence.final !== OSC && sequence.final !== DCS)) return false;
  if (sequence.final === DCS) return true;
  const content = Buffer.from(bytes.subarray(bytes.indexOf(OSC, from) + 1, to)).toString("latin1");
  return content.startsWith("52;") || content.includes(";?");
}

function isCsiQuery({ prefix, name, params }: EscapeTokenizer): boolean {
  const form = prefix === 0 ? name : String.fromCharCode(prefix) + name;
  if (form !== "t") return QUERIES.has(form);
  const operation = params.get(0, 0);
  return operation >= FIRST_WINDOW_REPORT && operation <= LAST_WINDOW_REPORT;
}

/** A bell and an ENQ act wherever they stand; only inside a string they do not. */
function silent(bytes: Uint8Array, { kind, from, to }: Token): Uint8Array {
  const piece = bytes.subarray(from, to);
  if (kind === "string" || kind === "open" || !(piece.includes(BEL) || piece.includes(ENQ))) return piece;
  return piece.filter((byte) => byte !== BEL && byte !== ENQ);
}
