/**
 * Pure: decides whether the shell is at its prompt, from facts that `PromptWatch` gathers.
 *
 * To the kernel, the shell's own `read` and a line that continues look almost like the prompt. But a shell reads every
 * line at its prompt into the same address, and `read` into another. And every line that was typed is followed by a
 * prompt, ours or another, unless the line continues: then the echo of its end is the last output.
 */

import { isOnPromptLine } from "./is-on-prompt-line.ts";

/** The shell itself waits for input and has read everything that was typed. */
export interface ShellRead {
  /** The call and the address that it reads into; undefined if the kernel does not show it. */
  readonly address: string | undefined;
  /** It is blocked in `read` itself, not in a call that waits for input before reading. */
  readonly isPlainRead: boolean;
  /** Its call ends by itself after a while, as that of `read -t` does. */
  readonly hasTimeout: boolean;
  /** The terminal delivers whole lines. A shell that edits its line reads keys. */
  readonly isCanonical: boolean;
}

/** The last report of the shell: a command ended, or it is at its prompt. */
export type ShellReport =
  /** Prompt hooks run after the end, and may read. */
  | { readonly kind: "end"; readonly hasHooks: boolean }
  /** Certain: only the shell can have printed this prompt. */
  | { readonly kind: "prompt"; readonly isCertain: boolean };

export interface ReadFacts {
  /** Undefined while the shell does something else. */
  readonly read: ShellRead | undefined;
  /** The address from the last time the shell was certainly at its prompt. */
  readonly promptAddress: string | undefined;
  /** Our prompt has appeared at least once. */
  readonly hasPrompted: boolean;
  /** The shell edits lines unless echo is off, and its own `read` polls. */
  readonly editsLines: boolean;
  /** Another process waits for input, too, and may get what is typed: a pinentry that outlived its gpg. */
  readonly hasRival: boolean;
}

export interface PromptFacts extends ReadFacts {
  readonly lastReport: ShellReport;
  /** A whole line was typed after our last prompt. */
  readonly hasTypedLine: boolean;
  /**
   * A whole line was typed since the shell was last seen at its prompt, even if it was typed before our last prompt.
   */
  readonly hasTypedSince: boolean;
  /** Someone typed since the last command ended, even without echo. */
  readonly hasTyped: boolean;
  /** Someone has typed a line without Enter. */
  readonly hasUnfinishedLine: boolean;
  /** Input bytes that the terminal has not accepted yet. */
  readonly queuedInputBytes: number;
  /** The last output is the end of a line. */
  readonly outputEndsLine: boolean;
}

/** What is known without probing the processes, which takes longer. */
export interface FreshFacts
  extends Pick<
    PromptFacts,
    "lastReport" | "promptAddress" | "editsLines" | "queuedInputBytes" | "hasUnfinishedLine" | "hasRival" | "hasTyped"
  > {
  /** How long ago our last prompt appeared. */
  readonly promptAgeMs: number;
  readonly hasUnreadInput: boolean;
  readonly isShellInForeground: boolean;
  readonly isCanonical: boolean;
}

export interface PromptVerdict {
  readonly at: "prompt" | "elsewhere" | "unsure";
  readonly why: string;
  /** The address at which the shell reads, if it should be remembered as that of its prompt. */
  readonly promptAddress?: string | undefined;
}

/**
 * What the shell reads for. `prompt`: it reads where it reads at its prompt. `unsure`: it may be the prompt. `command`:
 * it reads for its command. `contested`: another process reads, too. `none`: the shell does not read.
 */
export type ReadVerdict = "prompt" | "unsure" | "command" | "contested" | "none";

/** No one types a line this soon after a prompt. */
const FRESH_MS = 20;

/** Whether a command may be typed: only if the shell reads at its prompt and no one else has typed there. */
export function judgePrompt(facts: PromptFacts): PromptVerdict {
  const { read, promptAddress, lastReport, editsLines, hasTypedLine } = facts;
  if (!read) return { at: "elsewhere", why: "the shell does not read" };
  if (facts.hasRival) return { at: "elsewhere", why: "another process reads, too" };
  if (facts.hasUnfinishedLine) return { at: "elsewhere", why: "somebody typed a line without Enter" };
  if (facts.queuedInputBytes > 0) return { at: "elsewhere", why: "typed input is on its way" };
  if (hasTypedLine && facts.outputEndsLine) return { at: "elsewhere", why: "a line that somebody typed continues" };
  if (isOwnPoll(facts, read) && !isUntouched(facts)) {
    return { at: "elsewhere", why: `the shell's own read polls after its ${describeReport(lastReport)}` };
  }
  const { address } = read;
  if (isOwnPoll(facts, read)) return { at: "prompt", why: "the shell edits a line", promptAddress };
  if (promptAddress === undefined) {
    // A shell that edits its first line polls, at another address than that of all its later reads.
    return { at: "prompt", why: "the shell reads", promptAddress: read.isPlainRead ? address : undefined };
  }
  if (address === promptAddress)
    return { at: "prompt", why: "the shell reads where it does at its prompt", promptAddress };
  if (lastReport.kind === "end" && lastReport.hasHooks && read.isPlainRead) {
    return { at: "unsure", why: "a hook of the prompt may be reading" };
  }
  if (!read.isCanonical) return { at: "prompt", why: "the shell edits a line" };
  // Input without echo is not reported, as between the commands of a shell that edits lines.
  if (hasTypedLine || facts.hasTypedSince || editsLines)
    return { at: "unsure", why: "the shell reads elsewhere than at its last prompt" };
  return { at: "prompt", why: "the shell reads, and nobody typed anything", promptAddress: address };
}

/**
 * Whether the shell has just printed its prompt, so that it reads next, even if it does not yet. A shell that edits
 * lines does not edit if it finds input when it starts to read. Any other shell must have been seen at its prompt
 * before, so that its address is known.
 */
export function judgeFreshPrompt(facts: FreshFacts): PromptVerdict {
  const { lastReport, editsLines, promptAddress } = facts;
  const unsure = (why: string) => ({ at: "unsure", why }) as const;
  if (lastReport.kind !== "prompt") return unsure("no prompt came after the last command");
  if (!editsLines && !lastReport.isCertain) return unsure("a program may have printed the prompt");
  if (!editsLines && promptAddress === undefined) return unsure("the address of the prompt is not known");
  if (facts.promptAgeMs > FRESH_MS) return unsure("the prompt is not fresh");
  const isTyped = facts.hasTyped || facts.hasUnfinishedLine || facts.queuedInputBytes > 0 || facts.hasUnreadInput;
  if (isTyped) return unsure("somebody typed");
  if (facts.hasRival) return unsure("another process reads, too");
  if (!facts.isShellInForeground) return unsure("a program is in the foreground");
  if (!facts.isCanonical) return unsure("the terminal does not give whole lines");
  return { at: "prompt", why: "the shell has just printed its prompt" };
}

/** What the shell reads for, regardless of what was typed. */
export function judgeRead(facts: ReadFacts): ReadVerdict {
  const { read, promptAddress } = facts;
  if (!read) return "none";
  if (facts.hasRival) return "contested";
  if (isOwnPoll(facts, read) && facts.hasPrompted) return "command";
  if (isOnPromptLine(read.address, promptAddress)) return "prompt";
  // Until our prompt has appeared once, the reads cannot be distinguished.
  if (!facts.hasPrompted) return "unsure";
  // A shell that edits its line waits before it reads; a `read` of single keys does not.
  if (!read.isCanonical) return read.isPlainRead ? "command" : "unsure";
  // A program that ended after the shell started to edit may have put the terminal back to whole lines.
  if (!read.isPlainRead && !read.hasTimeout) return "unsure";
  return promptAddress === undefined ? "unsure" : "command";
}

/**
 * The command has ended, and nobody typed since: nothing can read but the prompt itself. A shell that started to edit
 * its line polls in line mode if its command left that mode behind, or if echo was turned off too late. Its prompt may
 * have come before we took its end mark, when a job let it pass the gate there.
 */
function isUntouched({ lastReport, hasTyped, hasTypedLine, hasTypedSince }: PromptFacts): boolean {
  const isBetween = lastReport.kind === "end" ? !lastReport.hasHooks : lastReport.isCertain;
  return isBetween && !hasTyped && !hasTypedLine && !hasTypedSince;
}

function describeReport(report: ShellReport): string {
  if (report.kind === "end") return "end mark";
  return report.isCertain ? "prompt and typed input" : "prompt, which is uncertain";
}

/** The `read` of a shell that edits lines polls; at its prompt it polls only to edit. */
function isOwnPoll({ editsLines }: ReadFacts, { isCanonical, isPlainRead }: ShellRead): boolean {
  return editsLines && isCanonical && !isPlainRead;
}
