/** Describes the basis of an input state for people. No code parses these sentences. */
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { InputBasis } from "./judge-input-state.ts";

export function describeBasis(basis: InputBasis): string {
  switch (basis.kind) {
    case "reader": {
      if (basis.isFar) return `${describeName(basis.name)} passes keys on to a program that limpet cannot observe`;
      const behind = basis.isRelayed ? "behind a relay " : "";
      return `process ${basis.pid} is blocked in ${basis.call} ${behind}for a terminal in ${describeMode(basis.mode)}`;
    }
    case "asks-terminal":
      return `process ${basis.pid} asked its terminal something and waits for the answer`;
    case "no-probe":
      return "this transport cannot tell what the program waits for";
    case "no-terminal":
      return "this session has no terminal to observe";
    case "terminal-gone":
      return "the terminal is gone";
    case "hidden":
      return `the kernel does not show what the foreground program waits in; the terminal is in ${describeMode(basis.mode)}`;
    case "nobody":
      return "no process waits for the terminal's input";
    case "moved":
      return "the program has run between two observations";
    case "arriving":
      return "output of the program is still on its way";
    case "unsure":
      return "the program reads keys, and nothing shows whether it works meanwhile";
    case "input-queued":
      return "input is still on its way to the program";
    case "between-commands":
      return "the shell is ready for the next command";
  }
}

/** A program can choose any name, so an unusual one is omitted. */
function describeName(name: string): string {
  return /^\w[\w.: -]*$/.test(name) ? name : "a program";
}

function describeMode({ isCanonical, isEchoing }: TerminalMode): string {
  return `${isCanonical ? "line" : "key"} mode ${isEchoing ? "with" : "without"} echo`;
}
