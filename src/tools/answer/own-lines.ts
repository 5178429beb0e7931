/**
 * Every form that a line of limpet's own can have in an answer. Output with a line of such a form could pass for a part
 * of the answer, so the answer then marks where the output ends.
 *
 * A new line of a header, or a new mark in output, belongs here: the tests of the tools compare every answer with it.
 */
import { ERROR_CODES } from "../../base/limpet-error.ts";

/** Before the id of a session that is elsewhere, such as `build/7`. */
const PLACE = "(?:[\\w.:@-]+/)?";

/** Lines before the output, and answers without output. */
const HEADER_FORMS: readonly string[] = [
  "Wall time: ",
  "(?:Process|Command) (?:exited|killed|running)",
  "Ignored parameters?: ",
  `Session (?:ID )?${PLACE}\\d`,
  "Waiting for input: ",
  "Probably waiting for input",
  "To answer without seeing it: ",
  "Directory: ",
  "Next: ",
  "The (?:output|list) ends at \\d",
  "This is the end of the output(?: so far)?$",
  "\\d+ matching lines?",
  "Warning: (?:truncated output|\\d+ bytes|journal on disk)",
  "Folded: ",
  "Still (?:running|waiting): ",
  "Deadline: ",
  "Timed out: ",
  "Out of memory: ",
  "Refused by the sandbox ",
  "The sandbox restored ",
  "Changed in the sandbox[:,] ",
  "Continue with wait_for",
  "Reused the running session",
  "Started (?:a new shell|without your start files)",
  "New shell",
  "The (?:shell|shell's command|program) (?:exited|was killed|has ended|finished)",
  "Typed (?:by others|without Enter): ",
  "Withheld from programs",
  "Sent SIG",
  "Closed its input",
  "Discarded by an interrupt key",
  "(?:Not read yet|Never read): \\d",
  "Waits for its terminal",
  "Resized by others: ",
  "Handed back by a person: ",
  "A person is typing",
  "Held by a person",
  "Frozen by a person",
  "Ended by its limit",
  "(?:Closed|Lost): ",
  "Left running by (?:session|\\d)",
  "Matched: ",
  "Quiet: no output",
  "Idle: the shell",
  "Listening on \\S+ port \\d",
  "Screen of ",
  "Title: ",
  "Caret: ",
  "Incomplete: ",
  "The screen is in the picture",
  "No sessions\\.",
  "\\d+ more \\(",
  "Could not end: ",
  "No answer from ",
  `${PLACE}\\d+(?: \\([^)]*\\))?: (?:running|idle|waiting for input|exited|was killed|has ended|lost)`,
  `(?:${ERROR_CODES.join("|")}): `,
];

/** The line that ends the header. */
const SECTION_FORM = "(?:Output|Screen|Changed since your last read)(?: \\(.*\\))?:[ \\t]*$";

/** What limpet writes into output, with a tag or without one. */
const MARK_FORMS: readonly string[] = [
  "~[0-9a-z]{3,}(?:\\s|$)",
  "\\[×\\d",
  "\\[\\d+ bytes ",
  "\\[full-screen program",
  "\\[(?:binary data|unfinished control string) not shown",
];
const MARK_ANYWHERE = "…\\d+ tokens truncated";

const HEADER_LINE = lines([...HEADER_FORMS, SECTION_FORM]);
const OWN_LINE = new RegExp(`${lines([...HEADER_FORMS, SECTION_FORM, ...MARK_FORMS]).source}|${MARK_ANYWHERE}`, "im");

export function isHeaderLine(line: string): boolean {
  return HEADER_LINE.test(line);
}

/** Whether a line of the output could pass for one of limpet's. Lines that start with `tag` are limpet's. */
export function imitatesOwnLines(output: string, tag: string): boolean {
  const theirs = output.includes(tag) ? output.replace(new RegExp(`^${tag} .*$`, "gm"), "") : output;
  return OWN_LINE.test(theirs);
}

function lines(forms: readonly string[]): RegExp {
  return new RegExp(`^[ \\t]*(?:${forms.join("|")})`, "im");
}
