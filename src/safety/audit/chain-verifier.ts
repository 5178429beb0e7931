/** Checks the lines of an audit, from the oldest that is kept to the last. Pure: takes one line at a time. */
import { type AuditLine, CHAIN_START, type ChainEnd, hashOf, parseLine } from "./audit-chain.ts";

/** Where a line is. */
export interface LinePlace {
  readonly file: string;
  /** Counted from 1 in its file. */
  readonly line: number;
}

export interface BrokenLine extends LinePlace {
  readonly problem: string;
}

/** The result of a check. */
export interface AuditCheck {
  readonly lines: number;
  /** The number of the oldest line that is kept; 0 if there is none. */
  readonly first: number;
  readonly end: ChainEnd;
  /** Incomplete lines whose writer was killed. Each is reported by the line after it. */
  readonly torn: number;
  /** Acts that were not recorded, because the disk could not be written. */
  readonly missing: number;
  /** Null if every line is in its place. */
  readonly broken: BrokenLine | null;
}

const NOWHERE: LinePlace = { file: "audit.log", line: 0 };

export class ChainVerifier {
  #lines = 0;
  #first = 0;
  #end: ChainEnd = CHAIN_START;
  #torn = 0;
  #missing = 0;
  #broken: BrokenLine | null = null;
  #firstPlace: LinePlace = NOWHERE;
  #lastPlace: LinePlace = NOWHERE;
  readonly #written: ChainEnd | undefined;
  /** Lines that are not JSON, as a killed writer leaves them: allowed only if the next line reports them. */
  #suspect: { readonly bytes: number; readonly place: LinePlace } | undefined;

  /** `written`: the last line that its writer knows. */
  constructor(written?: ChainEnd) {
    this.#written = written;
  }

  take(text: string, place: LinePlace): void {
    if (this.#broken) return;
    const line = parseLine(text);
    const suspect = this.#suspect;
    if (!line) {
      const bytes = (suspect?.bytes ?? 0) + Buffer.byteLength(text);
      this.#suspect = { bytes, place: suspect?.place ?? place };
      return;
    }
    this.#suspect = undefined;
    const isReported = line.event === "torn" && line.bytes === suspect?.bytes;
    if (suspect && !isReported) this.#broken = { ...suspect.place, problem: "is not an audit record" };
    else this.#takeLine(line, text, place);
  }

  /** `isOldestKept`: rotation has removed no file, so the first line of the chain must be there. */
  result({ isOldestKept }: { readonly isOldestKept: boolean }): AuditCheck {
    // Nobody has written since its writer was killed.
    const torn = this.#torn + (this.#suspect ? 1 : 0);
    const found = { lines: this.#lines, first: this.#first, end: this.#end, torn, missing: this.#missing };
    return { ...found, broken: this.#broken ?? this.#lost(isOldestKept) };
  }

  #lost(isOldestKept: boolean): BrokenLine | null {
    const written = this.#written;
    if (isOldestKept && this.#first > 1) {
      const problem = `has number ${this.#first} where 1 belongs: the lines before it were removed`;
      return { ...this.#firstPlace, problem };
    }
    if (written && this.#end.number < written.number) {
      const problem = `is the last, but the host wrote up to number ${written.number}`;
      return { ...this.#lastPlace, problem };
    }
    return null;
  }

  #takeLine(line: AuditLine, text: string, place: LinePlace): void {
    const hash = hashOf(text);
    const problem = this.#problemOf(line, hash);
    if (problem !== undefined) {
      this.#broken = { ...place, problem };
      return;
    }
    if (this.#lines === 0) {
      this.#first = line.n;
      this.#firstPlace = place;
    }
    this.#lastPlace = place;
    this.#lines += 1;
    if (line.event === "torn") this.#torn += 1;
    if (line.event === "gap") this.#missing += line.count ?? 0;
    this.#end = { number: line.n, hash };
  }

  #problemOf({ n, prev }: AuditLine, own: string): string | undefined {
    if (this.#written?.number === n && this.#written.hash !== own) return "is not the line that the host has written";
    // Older lines were removed with their file, so nothing is known about the line before.
    if (this.#lines === 0) return n === 1 && prev !== "" ? "is not the first line of its chain" : undefined;
    const { number, hash } = this.#end;
    if (n !== number + 1) return `has number ${n} where ${number + 1} belongs: lines are missing or were moved`;
    return prev === hash ? undefined : `does not follow line ${number}: one of the two was changed`;
  }
}
