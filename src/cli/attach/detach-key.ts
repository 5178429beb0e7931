/** Finds the key that detaches, Ctrl+], in what a person types. Pure. */

/** As a plain byte, and in the key protocols that a program may turn on: kitty's and xterm's. */
const FORMS: readonly Buffer[] = ["\x1d", "\x1b[93;5u", "\x1b[27;5;93~"].map((form) => Buffer.from(form));

/** The bytes before the key; undefined if it was not pressed. */
export function beforeDetachKey(bytes: Uint8Array): Uint8Array | undefined {
  const typed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const places = FORMS.map((form) => typed.indexOf(form)).filter((place) => place >= 0);
  return places.length === 0 ? undefined : bytes.subarray(0, Math.min(...places));
}
