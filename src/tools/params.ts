/** Parameters that several tools have, each with its range and its words for the model. */
import { z } from "zod";
import { MAX_COLS, MAX_ROWS } from "../base/limits.ts";
import { meanings } from "./coerce-args.ts";

/** A day: longer than any call may take. */
const MAX_WAIT_MS = 86_400_000;
const MAX_TOKENS = 1_000_000;

/** States its range when it is not kept. */
export function integer(min: number, max: number): z.ZodNumber {
  const range = `give a whole number from ${min} to ${max}`;
  return z.int(range).min(min, range).max(max, range);
}

/** For tools that know no upper bound. */
export function wholeNumber(): z.ZodNumber {
  const range = "give a whole number from 0 up";
  return z.int(range).min(0, range);
}

export function sessionKey(): z.ZodUnion<[z.ZodNumber, z.ZodString]> {
  const words = "give a session's id or name";
  return z.union([z.int(words).min(1, words), z.string()], words);
}

export function sessionName(): z.ZodString {
  return z.string().register(meanings, { kind: "name" });
}

/** It may begin with ~. */
export function directory(): z.ZodString {
  return z.string().register(meanings, { kind: "directory" });
}

export function waitMs(defaultMs: number): z.ZodDefault<z.ZodNumber> {
  return integer(0, MAX_WAIT_MS).default(defaultMs);
}

export function outputTokens(): z.ZodDefault<z.ZodNumber> {
  return integer(0, MAX_TOKENS).default(10_000);
}

export function columns(): z.ZodNumber {
  return integer(1, MAX_COLS);
}

export function rows(): z.ZodNumber {
  return integer(1, MAX_ROWS);
}

/** Refused before anything is started or typed. The engine behind patterns is large, and many servers never need it. */
export async function requirePattern(source: string): Promise<void> {
  const { compilePattern } = await import("../text/search/pattern.ts");
  compilePattern(source);
}
