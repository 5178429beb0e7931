/** Scripts of awk and sed that do nothing but change text. Pure. */
import type { ShellWord } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";

const AWKS = new Set(["awk", "gawk", "mawk", "nawk", "original-awk"]);
/** Pipes, files, system(), and what loads more code. */
const AWK_ACTS = /[|>@`]|system|getline|close|fflush|ENVIRON|PROCINFO/;

/** An address: a line, the last line, or a pattern. */
const ADDRESS = String.raw`(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)`;
const SUBSTITUTE = String.raw`s([/|,#:])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiI\d]*`;
const SED_COMMAND = new RegExp(`^(?:${ADDRESS}(?:,${ADDRESS})?)?!?\\s*(?:[pdqnDNPhHgGx=]|${SUBSTITUTE})$`);

export function scriptCautions(program: string, args: readonly ShellWord[]): readonly Caution[] {
  if (AWKS.has(program)) return awkCautions(args);
  return program === "sed" || program === "gsed" ? sedCautions(args) : [];
}

function awkCautions(args: readonly ShellWord[]): readonly Caution[] {
  const script = args.findIndex((word, at) => !word.start.startsWith("-") && !isValue(args[at - 1], /^-[Fv]$/));
  const isKnown =
    script >= 0 &&
    args.every(({ literal, start }, at) => {
      if (at > script) return true;
      if (literal === undefined) return false;
      return at === script ? !AWK_ACTS.test(literal) : /^-[Fv]/.test(start) || isValue(args[at - 1], /^-[Fv]$/);
    });
  return isKnown ? [] : [{ name: "interpreter", part: args.map(({ text }) => text).join(" ") }];
}

function sedCautions(args: readonly ShellWord[]): readonly Caution[] {
  const cautions: Caution[] = [];
  let hasScript = false;
  for (const [at, word] of args.entries()) {
    const { literal, text } = word;
    const isScript =
      isValue(args[at - 1], /^(?:-[nEr]*e|--expression)$/) || (!hasScript && !word.start.startsWith("-"));
    if (isScript) {
      hasScript = true;
      if (!isPlainSed(literal)) cautions.push({ name: "interpreter", part: text });
    } else if (word.start === "" && literal === undefined) cautions.push({ name: "computed-option", part: text });
    else if (/^-[nErsuz]*i/.test(word.start) || word.start.startsWith("--in"))
      cautions.push({ name: "write", part: text });
    else if (/^-[nErsuz]*e$/.test(literal ?? "") || literal === "--expression") hasScript = true;
    else if (word.start.startsWith("-") && !/^-[nErsuz]+$|^--(?:quiet|silent|regexp-extended)$/.test(literal ?? ""))
      cautions.push({ name: "interpreter", part: text });
  }
  return cautions;
}

function isPlainSed(script = "{"): boolean {
  return script.split(/\s*[;\n]\s*/).every((each) => each === "" || SED_COMMAND.test(each.trim()));
}

function isValue(before: ShellWord | undefined, option: RegExp): boolean {
  return option.test(before?.literal ?? "");
}
