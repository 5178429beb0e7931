/** Parameters that several tools share, each with its range and its error text. */
import { z } from "zod";
import { MAX_COLS, MAX_ROWS } from "../../base/limits.ts";
import { SANDBOX_FILES, type SandboxRequest } from "../../base/sandbox-request.ts";
import { textKinds } from "./coerce-args.ts";

/** A day, which is longer than any call may take. */
const MAX_WAIT_MS = 86_400_000;
const MAX_TOKENS = 1_000_000;

/** The error text states the range. */
export function integer(min: number, max: number): z.ZodNumber {
  const range = `pass an integer from ${min} to ${max}`;
  return z.int(range).min(min, range).max(max, range);
}

/** For tools without an upper bound. */
export function wholeNumber(): z.ZodNumber {
  const range = "pass an integer of 0 or more";
  return z.int(range).min(0, range);
}

export function sessionKey(): z.ZodUnion<[z.ZodNumber, z.ZodString]> {
  const message = "pass a session's id or name";
  return z.union([z.int(message).min(1, message), z.string()], message);
}

export function sessionName(): z.ZodString {
  return z.string().register(textKinds, { kind: "name" });
}

/** May begin with ~. */
export function directory(): z.ZodString {
  return z.string().register(textKinds, { kind: "directory" });
}

/** Without a default. */
export function anyWaitMs(): z.ZodNumber {
  return integer(0, MAX_WAIT_MS);
}

export function waitMs(defaultMs: number): z.ZodDefault<z.ZodNumber> {
  return withDefault(anyWaitMs(), defaultMs);
}

/** Its default is not stated: an answer that was cut says how to read the rest. */
export function outputTokens(): z.ZodDefault<z.ZodNumber> {
  return integer(0, MAX_TOKENS).default(10_000);
}

/** States the default in words, after `text`: some clients do not pass defaults on to their model. */
export function withDefault(type: z.ZodNumber, value: number, text = ""): z.ZodDefault<z.ZodNumber> {
  return type.default(value).describe(`${text === "" ? "" : `${text}; `}default ${value}`);
}

/** Default true. Described in `run`; answers from which lines were left out say how to read them. */
export function foldLines(): z.ZodDefault<z.ZodBoolean> {
  return z.boolean().default(true);
}

export function columns(): z.ZodNumber {
  return integer(1, MAX_COLS);
}

export function rows(): z.ZodNumber {
  return integer(1, MAX_ROWS);
}

type SandboxName = SandboxRequest["files"] | "off";

export function sandboxFiles(): z.ZodOptional<z.ZodEnum<{ [Name in SandboxName]: Name }>> {
  return z.enum([...SANDBOX_FILES, "off"]).optional();
}

export function sandboxOf(files: SandboxName | undefined): SandboxRequest | "off" | undefined {
  return files === undefined || files === "off" ? files : { files };
}

/** Refuses a bad pattern before anything is started or typed. The pattern engine is large and loaded on first use. */
export async function requirePattern(source: string): Promise<void> {
  const { compilePattern } = await import("../../text/search/pattern.ts");
  compilePattern(source);
}
