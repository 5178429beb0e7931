/** A sequence whose effect on a screen is compared with another terminal's, and the parts that it is made of. */
export interface ScreenCase {
  readonly name: string;
  readonly input: string;
}

export const CASE_SIZE: { readonly cols: number; readonly rows: number } = { cols: 20, rows: 8 };

export const ESC = "\x1b";
export const CSI = "\x1b[";
/** Each row with a letter of its own, so that every move can be seen. */
export const FILLED: string = Array.from("ABCDEFGH", (letter, row) => `${CSI}${row + 1};1H${letter.repeat(20)}`).join(
  "",
);
export const NUMBERED: string = Array.from({ length: 8 }, (_, row) => `${CSI}${row + 1};1Hline ${row + 1}`).join("");
export const DIGITS = "0123456789abcdefghij";

export function variants(group: string, inputs: readonly string[]): ScreenCase[] {
  return inputs.map((input, index) => ({ name: `${group} ${index + 1}`, input }));
}
