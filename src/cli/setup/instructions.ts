/** The lines that tell an agent when to use limpet, and how they are put into a file of instructions. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";

export const BEGIN = "<!-- limpet: begin -->";
const END = "<!-- limpet: end -->";

/** Between two markers, so that a later setup finds them again. */
export const INSTRUCTIONS: string = [
  BEGIN,
  "## Terminals",
  "",
  "Use the tools of the MCP server limpet instead of the built-in shell if:",
  "",
  "- a program stays open: a server, a REPL, a debugger, a full-screen program. `exec_command` starts it, `write_stdin`",
  "  types, `read_screen` shows its screen.",
  "- a command may ask for something: a password, a confirmation, a choice. `run` returns as soon as it asks.",
  "- a command takes longer than a minute. Wait with `wait_for`, not with `sleep` or repeated calls.",
  "- the next command needs the directory, the variables or the virtual environment of the last one: `run` keeps them.",
  "- the output is long. `read_output` reads or searches what was cut.",
  "",
  "Programs stay alive when the conversation ends. `list_sessions` shows them; close those that nobody needs.",
  END,
].join("\n");

/** Replaces what an earlier setup wrote, or else adds it at the end. */
export function mergeInstructions(text: string): string {
  const found = rangeOf(text);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const block = INSTRUCTIONS.replaceAll("\n", eol);
  if (found) return text.slice(0, found.from) + block + text.slice(found.to);
  if (text.trim() === "") return block + eol;
  return `${text}${text.endsWith("\n") ? eol : eol + eol}${block}${eol}`;
}

/** Without the lines, and without the empty line that separated them. */
export function removeInstructions(text: string): string {
  const found = rangeOf(text);
  if (!found) return text;
  const before = text.slice(0, found.from);
  const after = text.slice(found.to).replace(/^\r?\n/, "");
  return (after === "" ? before.replace(/(\r?\n)\r?\n$/, "$1") : before) + after;
}

function rangeOf(text: string): { readonly from: number; readonly to: number } | undefined {
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (from < 0 && to < 0) return undefined;
  const isWhole = from >= 0 && to > from && text.lastIndexOf(BEGIN) === from && text.lastIndexOf(END) === to;
  if (isWhole) return { from, to: to + END.length };
  throw new LimpetError(
    "BAD_CONFIG",
    `The file does not have exactly one ${BEGIN} followed by one ${END}. Remove these lines and what is between them.`,
  );
}
