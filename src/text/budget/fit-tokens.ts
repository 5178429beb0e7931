import { LimpetError } from "../../base/limpet-error.ts";
import { type CutOptions, estimateTokens } from "./cut-middle.ts";
import { type Truncated, truncateMiddle } from "./truncate-middle.ts";

/** Counts the tokens of a text as a certain model does. */
export type Tokenizer = (text: string) => number;

const BYTES_PER_TOKEN = 4;
/** Each attempt halves the range of budgets that is left; after this many the loss is below a percent. */
const MOST_ATTEMPTS = 8;
/** A text with more bytes per token of its budget does not fit, whatever the tokenizer. */
const MOST_BYTES_PER_TOKEN = 64;
/** Texts up to this size are counted whole in any case. */
const COUNTED_BYTES = 1024 * 1024;

/** A text that was cut to a budget of tokens. */
export interface Budgeted extends Truncated {
  /** Tokens of `text`: counted by the tokenizer, else estimated. */
  readonly tokenCount: number;
}

/** How tokens are counted. */
export interface BudgetOptions extends CutOptions {
  /** Default: 4 bytes a token, rounded up. */
  readonly tokenizer?: Tokenizer | undefined;
}

/**
 * Cuts a text in its middle so that it has at most `maxTokens` tokens. With a tokenizer, `originalTokenCount` and the
 * fit use its count. Texts that are far too long are not counted but estimated.
 */
export function fitTokens(text: string, maxTokens: number, options: BudgetOptions = {}): Budgeted {
  if (!(maxTokens >= 0)) {
    throw new LimpetError("BAD_OPTION", `maxTokens is ${maxTokens}. Pass a number of tokens from 0 up.`);
  }
  const { tokenizer } = options;
  const estimated = truncateMiddle(text, Math.floor(maxTokens) * BYTES_PER_TOKEN, options);
  if (tokenizer === undefined) return { ...estimated, tokenCount: estimateTokens(Buffer.byteLength(estimated.text)) };
  const size = Buffer.byteLength(text);
  const isCountable = size <= Math.max(maxTokens * MOST_BYTES_PER_TOKEN, COUNTED_BYTES);
  const originalTokenCount = isCountable ? tokenizer(text) : estimateTokens(size);
  if (isCountable && originalTokenCount <= maxTokens) {
    return { text, originalTokenCount: null, cut: null, tokenCount: originalTokenCount };
  }
  return { ...largestFit(text, maxTokens, { ...options, tokenizer }), originalTokenCount };
}

/**
 * Tokens of a text before it was folded. `counted`: the tokens of the folded text. A tokenizer did not see what was
 * folded, so that is estimated.
 */
export function countBeforeFold(
  counted: number,
  { originalBytes, foldedBytes }: { readonly originalBytes: number; readonly foldedBytes: number },
  tokenizer: Tokenizer | undefined,
): number {
  const estimated = estimateTokens(originalBytes);
  return tokenizer ? counted + Math.max(0, estimated - estimateTokens(foldedBytes)) : estimated;
}

/** Searches for the largest byte budget whose cut fits the token budget. */
function largestFit(
  text: string,
  maxTokens: number,
  { tokenizer, tag, droppedBytes }: CutOptions & { readonly tokenizer: Tokenizer },
): Budgeted {
  const alone = truncateMiddle(text, 0, { tag, droppedBytes });
  let best: Budgeted = { ...alone, tokenCount: tokenizer(alone.text) };
  let low = 0;
  let high = Math.min(Buffer.byteLength(text) - 1, maxTokens * MOST_BYTES_PER_TOKEN);
  let bytes = Math.min(high, maxTokens * BYTES_PER_TOKEN);
  for (let i = 0; i < MOST_ATTEMPTS && low < high; i++) {
    const cut = truncateMiddle(text, bytes, { tag, droppedBytes });
    const tokenCount = tokenizer(cut.text);
    if (tokenCount <= maxTokens) {
      if (bytes > low) best = { ...cut, tokenCount };
      low = bytes;
    } else high = bytes - 1;
    // The ratio so far is a good guess; the middle is a safe one.
    const guess = Math.floor((bytes * maxTokens) / Math.max(1, tokenCount));
    bytes = guess > low && guess <= high && i < 3 ? guess : Math.ceil((low + high) / 2);
  }
  return best;
}
