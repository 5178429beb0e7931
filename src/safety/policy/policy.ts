/** The rules that bind agents, as loaded from `policy.json`. Plain data. */
import type { CautionName } from "./caution/caution.ts";
import type { Decision } from "./verdict.ts";

/** One word of a prefix: this text, or one of these. */
export type PrefixWord = string | readonly string[];

export interface Rule {
  /** The first words of the commands that it is about. */
  readonly prefix: readonly PrefixWord[];
  readonly decision: Decision;
  /** It is only about commands without further words. */
  readonly isExact: boolean;
  /** Shown with the verdict. */
  readonly why?: string;
  /** Built-in cautions that an allow rule lifts for its commands. */
  readonly accept: readonly CautionName[];
  /** Commands to which it must apply, and to which it must not; checked when the file is loaded. */
  readonly match: readonly string[];
  readonly notMatch: readonly string[];
  /** Counted from 1. */
  readonly line: number;
}

/** One file. */
export interface PolicyLayer {
  readonly file: string;
  /** A project's file can only narrow what the user's file allows. */
  readonly scope: "user" | "project";
  /** For commands without a rule. Default: `ask` for the user's file, `allow` for a project's. */
  readonly default: Decision;
  /** For text that is typed into programs, by their names; `*` stands for the others. */
  readonly input: Readonly<Record<string, Decision>>;
  /** Names of variables that may be set, with `*` for any characters. */
  readonly env: readonly string[];
  /** Decisions for built-in cautions that differ from `ask`. */
  readonly cautions: Readonly<Partial<Record<CautionName, Decision>>>;
  readonly rules: readonly Rule[];
}

/** Without layers, everything is allowed. */
export interface Policy {
  readonly layers: readonly PolicyLayer[];
}
