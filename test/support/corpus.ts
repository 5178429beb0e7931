import { readFileSync } from "node:fs";

/** One recording of `scripts/record-corpus.mjs`. */
export interface CorpusCase {
  readonly name: string;
  readonly command: string;
  /** What a reader must see, whatever else is left out. */
  readonly matters: string;
}

export function corpusCases(): readonly CorpusCase[] {
  return JSON.parse(readFileSync(new URL("../corpus/corpus.json", import.meta.url), "utf8"));
}

export function corpusBytes(name: string): Buffer {
  return readFileSync(new URL(`../corpus/${name}.raw`, import.meta.url));
}
