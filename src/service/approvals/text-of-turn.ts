/** What a turn does, as one text: what a person approves, and what the turn must then do. Pure. */
import type { Stroke } from "../../keys/parse-stroke.ts";
import type { TurnInput, TurnRequest } from "../turn/turn-request.ts";

/** Empty if the turn only reads. */
export function textOfTurn({ on, input }: Pick<TurnRequest, "on" | "input">): string {
  const typed = input ? textOfInput(input) : "";
  if (on.kind === "start") {
    const { command, program = "", args = [] } = on.start;
    return (command ?? [program, ...args].map(quoted).join(" ")) + typed;
  }
  if (on.kind !== "run") return typed;
  const { command, stdin } = on.run;
  return stdin === undefined || stdin === null || stdin === "" ? command : `${command}\n\nInput:\n${stdin}`;
}

/** Keys by their names: `⟨Enter⟩`. Such brackets in a text are doubled, so that it cannot pass for a key. */
export function textOfInput({ strokes, secret }: Pick<TurnInput, "strokes" | "secret">): string {
  return strokes.map(textOfStroke).join("") + (secret === undefined ? "" : `⟨secret ${secret}⟩`);
}

function textOfStroke(stroke: Stroke): string {
  if (stroke.kind === "text" || stroke.kind === "paste") return stroke.text.replaceAll("⟨", "⟨⟨");
  if (stroke.kind === "key") return `⟨${stroke.name}⟩`;
  const { kind, row, col } = stroke.event;
  return `⟨${kind} ${row},${col}⟩`;
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
