/**
 * Three facts about a regular expression, from a partial parse. Syntax that the parser does not know counts as the
 * worst case.
 */
export interface PatternScan {
  /** V8's engine searches for it in time proportional to the text, because it can try only a few ways to match. */
  readonly isLinear: boolean;
  /** A piece of text that every match contains; "" if none is known. */
  readonly literal: string;
  /** A match never contains a line feed. */
  readonly staysInLine: boolean;
  readonly trouble: "lookaround" | "backreference" | null;
}

/** Ways to match a bounded piece; all are tried at each place of the text in the worst case. */
const MOST_WAYS = 256;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:,(\d*))?\})\??/;
const NARROW_ESCAPES = "dwSbBtfv";
const WIDE_ESCAPES = "DWsnr";

interface Piece {
  ways: number;
  /** May repeat without end, so it is safe only at the end of a pattern, where reaching it is a match. */
  isEndless: boolean;
}

export function scanPattern(source: string, flags = ""): PatternScan {
  const scanner = new Scanner(source, flags);
  const piece = scanner.alternatives();
  const isRead = piece !== null && scanner.isAtEnd;
  return {
    isLinear: isRead && piece.ways <= MOST_WAYS,
    literal: isRead && !flags.includes("i") && !scanner.isChoice ? scanner.longestLiteral : "",
    staysInLine: isRead && !scanner.isWide,
    trouble: troubleOf(source),
  };
}

function troubleOf(source: string): PatternScan["trouble"] {
  const withoutEscapes = source.replace(/\\[^1-9k]/g, "").replace(/\[[^\]]*\]/g, "");
  if (/\(\?<?[=!]/.test(withoutEscapes)) return "lookaround";
  return /\\[1-9k]/.test(withoutEscapes) ? "backreference" : null;
}

class Scanner {
  readonly #source: string;
  readonly #flags: string;
  #at = 0;
  #depth = 0;
  #literal = "";
  longestLiteral = "";
  isWide = false;
  /** There is a choice at the top, so no text is in every match. */
  isChoice = false;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#source.length;
  }

  alternatives(): Piece | null {
    const whole: Piece = { ways: 0, isEndless: false };
    for (;;) {
      const piece = this.#sequence();
      if (piece === null) return null;
      whole.ways += piece.ways;
      whole.isEndless ||= piece.isEndless;
      if (this.#source[this.#at] !== "|") return whole;
      this.#at++;
      if (this.#depth === 0) this.isChoice = true;
    }
  }

  #sequence(): Piece | null {
    const whole: Piece = { ways: 1, isEndless: false };
    while (!this.isAtEnd && this.#source[this.#at] !== "|" && this.#source[this.#at] !== ")") {
      const piece = this.#quantified();
      if (piece === null) return null;
      // Something follows an endless repetition: V8 may be slow, but a literal may still be found.
      whole.ways = whole.isEndless ? Number.POSITIVE_INFINITY : whole.ways * piece.ways;
      whole.isEndless ||= piece.isEndless;
    }
    this.#endLiteral();
    return whole;
  }

  #quantified(): Piece | null {
    const isGroup = this.#source[this.#at] === "(";
    const before = this.#literal;
    const piece = isGroup ? this.#group() : this.#atom();
    if (piece === null) return null;
    const found = QUANTIFIER.exec(this.#source.slice(this.#at, this.#at + 16));
    if (found === null) return piece;
    this.#at += found[0].length;
    // What may be missing or come twice is not part of the text that every match has.
    if (this.#depth === 0 && !isGroup) this.#literal = before;
    this.#endLiteral();
    return repeat(piece, found, isGroup);
  }

  #group(): Piece | null {
    this.#endLiteral();
    this.#at++;
    if (this.#source[this.#at] === "?") {
      const head = /^\?(?::|<[A-Za-z_]\w*>)/.exec(this.#source.slice(this.#at, this.#at + 64));
      if (head === null) return null;
      this.#at += head[0].length;
    }
    this.#depth++;
    const piece = this.alternatives();
    this.#depth--;
    if (piece === null || this.#source[this.#at] !== ")") return null;
    this.#at++;
    return piece;
  }

  #atom(): Piece | null {
    const char = this.#source[this.#at] ?? "";
    if ("*+?{}".includes(char)) return null;
    if (char === "[") return this.#set();
    if (char === "\\") return this.#escape();
    this.#at++;
    if (char === ".") {
      if (this.#flags.includes("s")) this.isWide = true;
      this.#endLiteral();
    } else if (char === "^" || char === "$") {
      // These match the ends of a line only if the text is searched line by line.
      this.isWide = true;
      this.#endLiteral();
    } else this.#addLiteral(char);
    return { ways: 1, isEndless: false };
  }

  #set(): Piece | null {
    const found = /^\[(\^?)((?:[^\\\]]|\\.)*)\]/.exec(this.#source.slice(this.#at));
    if (found === null) return null;
    this.#at += found[0].length;
    this.#endLiteral();
    if (found[1] === "^" || /\\[^dwtfv.\-\]/[^$*+?(){}|]/.test(found[2] ?? "")) this.isWide = true;
    if ((found[2] ?? "").includes("\n")) this.isWide = true;
    return { ways: 1, isEndless: false };
  }

  #escape(): Piece | null {
    const char = this.#source[this.#at + 1] ?? "";
    this.#at += 2;
    if (NARROW_ESCAPES.includes(char) && char !== "") this.#endLiteral();
    else if (WIDE_ESCAPES.includes(char) && char !== "") {
      this.isWide = true;
      this.#endLiteral();
    } else if (/^[^A-Za-z0-9]$/.test(char)) this.#addLiteral(char);
    else return null;
    return { ways: 1, isEndless: false };
  }

  #addLiteral(char: string): void {
    if (char === "\n") this.isWide = true;
    if (this.#depth === 0) this.#literal += char;
  }

  #endLiteral(): void {
    if (this.#depth > 0) return;
    if (this.#literal.length > this.longestLiteral.length) this.longestLiteral = this.#literal;
    this.#literal = "";
  }
}

function repeat(piece: Piece, found: RegExpExecArray, isGroup: boolean): Piece {
  const [text, , most] = found;
  const least = Number(found[1] ?? 1);
  const endless = { ways: isGroup || piece.isEndless ? Number.POSITIVE_INFINITY : 1 + least, isEndless: true };
  if (text.startsWith("*") || text.startsWith("+")) return endless;
  if (text.startsWith("?")) return { ways: piece.ways + 1, isEndless: piece.isEndless };
  if (most === "") return endless;
  const to = most === undefined ? least : Number(most);
  const ways = isGroup && to > 1 ? Number.POSITIVE_INFINITY : (to - least + 1) * Math.max(1, piece.ways);
  return { ways: ways + to, isEndless: piece.isEndless };
}
