import { Guard } from "../../../src/screen/drawing/guard.ts";
import { HeadlessTerminal } from "../../../src/screen/drawing/headless-terminal.ts";
import type { ShownScreen } from "./tmux-screen.ts";

/** What our screen shows of this, given in pieces of a set length, or all at once. */
export async function ourScreen(
  input: Uint8Array,
  size: { readonly cols: number; readonly rows: number },
  pieceBytes: number = input.length,
): Promise<ShownScreen> {
  const guard = new Guard(size);
  const terminal = new HeadlessTerminal({ size, scrollback: 50 });
  try {
    for (let at = 0; at < input.length; at += pieceBytes)
      await terminal.write(guard.push(input.subarray(at, at + pieceBytes)));
    const { row, col } = terminal.caret;
    const lines = Array.from({ length: size.rows }, (_, index) => terminal.line(index));
    return { lines, row, col, isAlternate: terminal.isAlternate };
  } finally {
    terminal.dispose();
  }
}
