/**
 * Finds every simple command in a line of bash, wherever it is nested, and notes everything else that a policy must
 * know. Pure. The only file that imports the parser.
 */
import {
  type Assignment,
  type Command,
  forEachChild,
  type ParameterExpansionPart,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
} from "unbash";
import {
  literalWord,
  type ParsedShell,
  type ShellAssignment,
  type ShellNote,
  type ShellPlace,
  type ShellRedirection,
  type ShellWord,
  type SimpleCommand,
} from "./simple-command.ts";
import { unknownWord, wordOf } from "./word-of.ts";

/** What POSIX shells read differently, or not at all. */
const BASH_ONLY: ReadonlySet<SyntaxNode["type"]> = new Set([
  "AnsiCQuoted",
  "ArithmeticCommand",
  "ArithmeticFor",
  "ArrayValue",
  "BraceExpansion",
  "CaseModification",
  "Coproc",
  "ExtendedGlob",
  "FileDescriptorVariable",
  "HereString",
  "LocaleString",
  "Names",
  "ProcessSubstitution",
  "Replace",
  "Select",
  "Slice",
  "TestCommand",
  "Time",
  "Transform",
]);
const PLACES: Partial<Readonly<Record<SyntaxNode["type"], ShellPlace>>> = {
  ArithmeticCommandExpansion: "substitution",
  ArithmeticFor: "loop",
  Case: "condition",
  CommandExpansion: "substitution",
  Coproc: "coproc",
  For: "loop",
  Function: "function",
  If: "condition",
  ProcessSubstitution: "process substitution",
  Select: "loop",
  Subshell: "subshell",
  While: "loop",
};
/** How much of a line that cannot be parsed is shown. */
const SHOWN_CHARS = 200;
const NUMBERS_ONLY = /^[\s\d+\-*/%<>=!&|^~?:,()]*$/;
const INTEGER = /^\s*-?\d+\s*$/;
const IDENTIFIER = /^[A-Za-z_]\w*$/;
const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;

export function parseShell(source: string): ParsedShell {
  const commands: SimpleCommand[] = [];
  const notes: ShellNote[] = [];
  try {
    new Walk(commands, notes).visit(parse(source), { source, places: [] });
  } catch {
    // Nested too deep for the stack, or a mistake of the parser: in both cases it has not understood the line.
    notes.push({ kind: "error", text: source.slice(0, SHOWN_CHARS) });
  }
  return { commands, notes };
}

interface Context {
  /** What positions refer to. */
  readonly source: string;
  readonly places: readonly ShellPlace[];
}

class Walk {
  readonly #commands: SimpleCommand[];
  readonly #notes: ShellNote[];

  constructor(commands: SimpleCommand[], notes: ShellNote[]) {
    this.#commands = commands;
    this.#notes = notes;
  }

  visit(node: SyntaxNode, outer: Context): void {
    const source = (node.type === "Script" ? node.source : undefined) ?? outer.source;
    const text = source.slice(node.pos, node.end);
    const places = [...outer.places, ...placesOf(node)];
    for (const kind of notesOf(node, text)) this.#notes.push(kind);
    if (node.type === "Command") this.#commands.push(simpleCommand(node, text, places));
    if (node.type === "Redirected") {
      const redirections = node.redirects.map(redirectionOf);
      this.#commands.push({ text, words: [], assignments: [], redirections, places });
    }
    forEachChild(node, (child) => this.visit(child, { source, places }));
  }
}

function placesOf(node: SyntaxNode): readonly ShellPlace[] {
  if (node.type === "Statement") return node.background ? ["background"] : [];
  if (node.type === "Pipeline") {
    const prefixes = node.prefixes.map(({ type }) => (type === "Time" ? "time" : "negation"));
    return [...prefixes, ...(node.commands.length > 1 ? (["pipeline"] as const) : [])];
  }
  const place = PLACES[node.type];
  return place ? [place] : [];
}

function notesOf(node: SyntaxNode, text: string): readonly ShellNote[] {
  const notes: ShellNote[] = BASH_ONLY.has(node.type) ? [{ kind: "bash-only", text }] : [];
  const note = (kind: ShellNote["kind"], about: string = text) => notes.push({ kind, text: about });
  switch (node.type) {
    case "Script":
      for (const { message } of node.errors ?? []) note("error", message);
      break;
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticCommandExpansion":
      if (!node.script) note("error");
      if (text.startsWith("${")) note("bash-only");
      break;
    case "ArithmeticExpansion":
      if (!NUMBERS_ONLY.test(node.text.slice(2, -1))) note("arithmetic", node.text);
      if (text.startsWith("$[")) note("bash-only");
      break;
    case "ArithmeticCommand":
      if (!NUMBERS_ONLY.test(node.body)) note("arithmetic");
      break;
    case "ArithmeticFor":
      note("arithmetic");
      break;
    case "TestBinary":
      if (COMPARES_NUMBERS.test(node.operator) && !(isInteger(node.left) && isInteger(node.right))) note("arithmetic");
      break;
    case "TestUnary":
      if (/^-[vR]$/.test(node.operator) && !IDENTIFIER.test(wordOf(node.operand).literal ?? "")) note("arithmetic");
      break;
    case "ParameterExpansion":
      notes.push(...expansionNotes(node));
      break;
    case "Assignment":
      if (node.index && !isInteger(node.index)) note("arithmetic");
      if (node.index || node.append) note("bash-only");
      break;
    case "For":
    case "Select":
      note("variable", node.name.value);
      break;
    case "Coproc":
      note("variable", node.name?.value ?? "COPROC");
      break;
    case "FileDescriptorVariable":
      note("variable", node.name);
      break;
    case "Function":
      note("function", node.name.value);
      if (text.startsWith("function")) note("bash-only");
      break;
    case "Redirect":
      if (node.operator.startsWith("&")) note("bash-only");
      if (!node.target) note("error");
      break;
    case "HereDoc":
      if (!node.closing || !node.delimiter) note("error");
      break;
    case "Pipeline":
      if (node.operators.includes("|&")) note("bash-only");
      break;
    case "CaseItem":
      if (node.terminator !== ";;" && node.terminator !== undefined) note("bash-only");
      break;
  }
  return notes;
}

/** Expansions that evaluate the value of a variable, which can contain commands. */
function expansionNotes({ text, parameter, prefix, index, operation }: ParameterExpansionPart): readonly ShellNote[] {
  const notes: ShellNote[] = [];
  const evaluates = (): unknown => notes.push({ kind: "arithmetic", text });
  const isList = index && /^[@*]$/.test(index.value);
  if (index && !isList && !isInteger(index)) evaluates();
  if (prefix === "!" && !isList && operation?.type !== "Names") evaluates();
  if (prefix === "!" || index) notes.push({ kind: "bash-only", text });
  if (operation?.type === "Transform" && !/^[QEAaULuKk]$/.test(operation.operand.text)) evaluates();
  if (operation?.type === "Slice" && ![operation.offset, operation.length].every((word) => !word || isInteger(word)))
    evaluates();
  if (operation?.type === "Default" && operation.operator.includes("="))
    notes.push({ kind: "variable", text: parameter });
  if (operation?.type === "Unknown") notes.push({ kind: "error", text });
  return notes;
}

function isInteger(word: Word): boolean {
  return INTEGER.test(wordOf(word).literal ?? "");
}

function simpleCommand(node: Command, text: string, places: readonly ShellPlace[]): SimpleCommand {
  const assignments = node.prefix.filter((each) => each.type === "Assignment").map(assignmentOf);
  const args = node.args.map((arg) => (arg.type === "Word" ? wordOf(arg) : argumentOf(arg)));
  const words = node.name ? [wordOf(node.name), ...args] : args;
  const redirections = node.redirects.map(redirectionOf);
  return { text, words, assignments, redirections, places };
}

/** `NAME=value` as an argument of `export` and its like. */
function argumentOf(node: Assignment): ShellWord {
  const { name, text, value } = assignmentOf(node);
  const isPlain = value !== undefined && !node.index && !node.append;
  return { text, literal: isPlain ? `${name}=${value}` : undefined, start: `${name}=`, canSplit: false };
}

function assignmentOf({ name, text, value }: Assignment): ShellAssignment {
  return { name, text, value: value.type === "Word" ? wordOf(value).literal : undefined };
}

function redirectionOf(node: Redirection): ShellRedirection {
  const { operator } = node;
  if (node.type !== "HereDoc") {
    const target = node.target ? wordOf(node.target) : unknownWord("");
    return { operator, target, text: `${operator} ${target.text}` };
  }
  const { text } = node.body;
  const isLiteral = node.delimiter?.quoted || !/[$`\\]/.test(text);
  return { operator, text: operator, target: isLiteral ? literalWord(text) : unknownWord(text) };
}
