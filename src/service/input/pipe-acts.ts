/**
 * What the keys Ctrl+C, Ctrl+\ and Ctrl+D do in a session without a terminal. No kernel acts on them there, so limpet
 * does what a terminal would: it sends SIGINT or SIGQUIT, or closes the input. Pure.
 */
import { DEFAULT_MODES } from "../../base/terminal-modes.ts";
import { encodeKey } from "../../keys/encode-key.ts";
import type { Stroke } from "../../keys/parse-stroke.ts";

/** What was done instead of typing a key. */
export type KeyEffect = "SIGINT" | "SIGQUIT" | "input closed";

export type PipeAct =
  | { readonly kind: "type"; readonly stroke: Stroke }
  | { readonly kind: "effect"; readonly effect: KeyEffect };

const EFFECTS: Readonly<Record<string, KeyEffect>> = {
  "\x03": "SIGINT",
  "\x1c": "SIGQUIT",
  "\x04": "input closed",
};

export function pipeActs(strokes: readonly Stroke[]): readonly PipeAct[] {
  return strokes.flatMap(actsOf);
}

/**
 * A text is data, in which any byte may occur. It counts as keys only if it contains nothing else, or if it ends with a
 * line and Ctrl+D.
 */
function actsOf(stroke: Stroke): readonly PipeAct[] {
  if (stroke.kind === "key") return [effectOf(encodeKey(stroke.name, DEFAULT_MODES)) ?? { kind: "type", stroke }];
  if (stroke.kind !== "text") return [{ kind: "type", stroke }];
  const { text } = stroke;
  if (/^[\x03\x04\x1c]+$/.test(text)) return Array.from(text, effectOf).filter((act) => act !== undefined);
  if (!text.endsWith("\n\x04")) return [{ kind: "type", stroke }];
  return [
    { kind: "type", stroke: { kind: "text", text: text.slice(0, -1) } },
    { kind: "effect", effect: "input closed" },
  ];
}

function effectOf(key: string): PipeAct | undefined {
  const effect = EFFECTS[key];
  return effect && { kind: "effect", effect };
}
