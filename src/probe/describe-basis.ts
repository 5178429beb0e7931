/** Describes the basis of an input state for people. No code parses these sentences. */
import type { TerminalMode } from "../pty/terminal-mode.ts";
import type { InputBasis } from "./judge-input-state.ts";

export function describeBasis(basis: InputBasis): string {
  switch (basis.kind) {
    case "reader": {
      const behind = basis.isRelayed ? "behind a relay " : "";
      return `process ${basis.pid} is blocked in ${basis.call} ${behind}for a terminal in ${describeMode(basis.mode)}`;
    }
    case "no-probe":
      return "this transport cannot tell what the program waits for";
    case "no-terminal":
      return "this session has no terminal to observe";
    case "terminal-gone":
      return "the terminal is gone";
    case "hidden":
      return "the kernel does not show what the foreground program waits in";
    case "nobody":
      return "no process waits for the terminal's input";
    case "moved":
      return "the program has run between two observations";
    case "input-queued":
      return "input is still on its way to the program";
    case "between-commands":
      return "the shell is ready for the next command";
  }
}

function describeMode({ isCanonical, isEchoing }: TerminalMode): string {
  return `${isCanonical ? "line" : "key"} mode ${isEchoing ? "with" : "without"} echo`;
}
