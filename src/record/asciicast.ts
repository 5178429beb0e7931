/**
 * The file format of recordings: asciicast versions 2 and 3. One line of JSON for the header, then one for each event.
 * Version 1, which is only read, has a file of its own.
 *
 * In the file, version 2 stores the time since the start, version 3 the time since the previous event. Here both are
 * milliseconds since the start. Pure: lines in, lines out.
 */

import { LimpetError } from "../base/limpet-error.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import { asList, headerFields, isRecord, parseJson } from "./asciicast-fields.ts";

/** The versions of the asciicast format that limpet writes. */
export type CastFormat = 2 | 3;

/** The header of a recording. */
export interface CastHeader {
  /** The version of the asciicast format. */
  readonly format: 1 | CastFormat;
  readonly size: TerminalSize;
  /** When it started, in milliseconds since 1970, accurate to the second. */
  readonly startedAt?: number;
  readonly title?: string;
  readonly command?: string;
}

/** The header of a recording that limpet writes. */
export interface WrittenHeader extends CastHeader {
  readonly format: CastFormat;
}

/** Something that happened in a terminal; `atMs` counts from the start of the recording. */
export type CastEvent = { readonly atMs: number } & (
  | { readonly kind: "output"; readonly text: string }
  | { readonly kind: "input"; readonly text: string }
  | { readonly kind: "resize"; readonly size: TerminalSize }
  | { readonly kind: "marker"; readonly label: string }
  | { readonly kind: "exit"; readonly code: number }
);

/** The TERM variable of recorded programs. */
const TERM = "xterm-256color";

export function encodeHeader({ format, size, startedAt, title, command }: WrittenHeader): string {
  const about = {
    ...(startedAt === undefined ? {} : { timestamp: Math.floor(startedAt / 1000) }),
    ...(title === undefined ? {} : { title }),
    ...(command === undefined ? {} : { command }),
  };
  const header =
    format === 2
      ? { version: 2, width: size.cols, height: size.rows, ...about, env: { TERM } }
      : { version: 3, term: { cols: size.cols, rows: size.rows, type: TERM }, ...about };
  return `${JSON.stringify(header)}\n`;
}

/** `afterMs`: the time of the previous event, 0 for the first. */
export function encodeEvent(format: CastFormat, event: CastEvent, afterMs: number): string {
  const ms = format === 2 ? event.atMs : event.atMs - afterMs;
  return `[${(ms / 1000).toFixed(3)}, ${JSON.stringify(codeOf(format, event))}, ${JSON.stringify(dataOf(format, event))}]\n`;
}

function codeOf(format: CastFormat, { kind }: CastEvent): string {
  switch (kind) {
    case "output":
      return "o";
    case "input":
      return "i";
    case "resize":
      return "r";
    case "marker":
      return "m";
    case "exit":
      // Version 2 has no exit event; its players show a marker and continue.
      return format === 2 ? "m" : "x";
  }
}

function dataOf(format: CastFormat, event: CastEvent): string {
  switch (event.kind) {
    case "output":
    case "input":
      return event.text;
    case "resize":
      return `${event.size.cols}x${event.size.rows}`;
    case "marker":
      return event.label;
    case "exit":
      return format === 2 ? `exited with code ${event.code}` : String(event.code);
  }
}

/** Throws `BAD_RECORDING` if the line is not a header of a supported version. */
export function decodeHeader(line: string): WrittenHeader {
  const header = parseJson(line);
  const { version, width, height, term, ...about } = isRecord(header) ? header : {};
  const { cols, rows } = isRecord(term) ? term : { cols: width, rows: height };
  const isKnown = version === 2 || version === 3;
  const fields = headerFields({ ...about, cols, rows });
  if (!isKnown || !fields) {
    const what = typeof version === "number" && !isKnown ? `asciicast version ${version}` : "not an asciicast file";
    throw new LimpetError("BAD_RECORDING", `The recording is ${what}. Pass a file of asciicast version 1, 2 or 3.`);
  }
  return { format: version, ...fields };
}

/** Undefined if the line is not an event, or an unknown one: other tools may write events beyond the format. */
export function decodeEvent(format: CastFormat, line: string, afterMs: number): CastEvent | undefined {
  const [seconds, code, data] = asList(parseJson(line));
  if (typeof seconds !== "number" || !Number.isFinite(seconds) || typeof data !== "string") return undefined;
  const ms = seconds * 1000;
  // Never lets time run backwards, whatever the file contains.
  const atMs = Math.round(Math.max(afterMs, format === 2 ? ms : afterMs + ms));
  // About 10^305 seconds: no later event could have a valid time.
  if (!Number.isFinite(atMs)) return undefined;
  switch (code) {
    case "o":
      return { atMs, kind: "output", text: data };
    case "i":
      return { atMs, kind: "input", text: data };
    case "m":
      return { atMs, kind: "marker", label: data };
    case "r":
      return decodeResize(atMs, data);
    case "x":
      return /^-?\d+$/.test(data) ? { atMs, kind: "exit", code: Number(data) } : undefined;
    default:
      return undefined;
  }
}

function decodeResize(atMs: number, data: string): CastEvent | undefined {
  const [, cols, rows] = /^(\d{1,5})x(\d{1,5})$/.exec(data) ?? [];
  return cols && rows ? { atMs, kind: "resize", size: { cols: Number(cols), rows: Number(rows) } } : undefined;
}
