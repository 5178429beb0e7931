/** The key before `d` to detach, Ctrl+] unless another one is set: its name, its byte and its other forms. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";

export interface DetachKey {
  /** As people write it: `Ctrl+]`. */
  readonly name: string;
  /** What a terminal sends for it, if no program has asked for another form. */
  readonly byte: string;
  /** All that a terminal may send for it, as latin1: plain, and in the key protocols of kitty and xterm. */
  readonly forms: readonly string[];
}

export const DEFAULT_DETACH_KEY: DetachKey = detachKeyOf("Ctrl+]");

/** Throws `BAD_OPTION` for a key that is not Ctrl and one character. */
export function detachKeyOf(text: string): DetachKey {
  const [, char = ""] = /^(?:Ctrl\+|C-|\^)([A-Za-z@[\\\]^_])$/i.exec(text.trim()) ?? [];
  // Ctrl+C, Ctrl+[ (Escape), Ctrl+I (Tab), Ctrl+J and Ctrl+M (Enter) are keys that everybody needs.
  if (char === "" || /[CIJM[]/i.test(char)) {
    throw new LimpetError(
      "BAD_OPTION",
      `The detach key is ${JSON.stringify(text)}. Give Ctrl and a letter or one of ] \\ ^ _, such as Ctrl+] or Ctrl+A.`,
    );
  }
  const letter = char.toUpperCase();
  const code = letter.toLowerCase().charCodeAt(0);
  const byte = String.fromCharCode(letter.charCodeAt(0) & 0x1f);
  return { name: `Ctrl+${letter}`, byte, forms: [byte, `\x1b[${code};5u`, `\x1b[27;5;${code}~`] };
}

/** Where the key is in what was typed, as latin1; undefined if it was not pressed. */
export function findDetachKey(
  typed: string,
  { forms }: DetachKey,
): { readonly at: number; readonly end: number } | undefined {
  const found = forms.flatMap((form) => {
    const at = typed.indexOf(form);
    return at < 0 ? [] : [{ at, end: at + form.length }];
  });
  return found.sort((one, other) => one.at - other.at)[0];
}
