/**
 * Keeps a terminal from doing what programs must not make it do: answer questions by typing (limpet has answered them),
 * change colours, and write to the clipboard. The server already passes only drawing; this does not rely on it.
 */
import type { Terminal } from "@xterm/xterm";

/** DA1, DA2, DA3, DSR and its private form, DECRQM (two), XTVERSION, window reports, the keyboard of kitty. */
const QUESTIONS = [
  { final: "c" },
  { prefix: ">", final: "c" },
  { prefix: "=", final: "c" },
  { final: "n" },
  { prefix: "?", final: "n" },
  { intermediates: "$", final: "p" },
  { prefix: "?", intermediates: "$", final: "p" },
  { prefix: ">", final: "q" },
  { final: "t" },
  { prefix: "?", final: "u" },
] as const;

/** Colours of the palette, of text, background and caret, and their resets; the clipboard. */
const STRINGS = [4, 5, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 52, 104, 105, 110, 111, 112, 117, 119] as const;

/** DECRQSS and XTGETTCAP. */
const DEVICE_STRINGS = [
  { intermediates: "$", final: "q" },
  { intermediates: "+", final: "q" },
] as const;

export function swallowQuestions({ parser }: Terminal): void {
  for (const id of QUESTIONS) parser.registerCsiHandler(id, () => true);
  for (const id of STRINGS) parser.registerOscHandler(id, () => true);
  for (const id of DEVICE_STRINGS) parser.registerDcsHandler(id, () => true);
}
