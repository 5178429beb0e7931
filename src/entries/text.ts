/** Text for a model: clean, fold, cut to a budget, search. Pure functions over bytes and text. */
export { cursorRange } from "../text/budget/cursor-range.ts";
export { type Budgeted, type BudgetOptions, fitTokens, type Tokenizer } from "../text/budget/fit-tokens.ts";
export type { CursorMark } from "../text/budget/given-text.ts";
export { HeadTail } from "../text/budget/head-tail.ts";
export { type Truncated, truncateMiddle } from "../text/budget/truncate-middle.ts";
export { Cleaner, type CleanerOptions, type CleanText } from "../text/clean/cleaner.ts";
export { type Folded, foldRepeats, unfoldedByte } from "../text/fold/fold-repeats.ts";
export {
  type DroppedOutput,
  type GrepLine,
  type GrepOptions,
  type GrepPiece,
  type GrepResult,
  grep,
  type LocatedBytes,
} from "../text/search/grep.ts";
export { compilePattern, type Pattern, type PatternMatch } from "../text/search/pattern.ts";
