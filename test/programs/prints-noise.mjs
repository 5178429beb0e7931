/**
 * Prints as many bytes as asked that look random and are the same each time. Without line feeds, to which the terminal
 * adds a byte, and without those that begin a control sequence: one at the very end would take a part of what follows.
 */
import { writeSync } from "node:fs";

const count = Number(process.argv[2]);
const noise = Buffer.alloc(count);
for (let state = 1, at = 0; at < count; ) {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  const byte = state >>> 24;
  if (byte !== 0x0a && byte !== 0x1b && (byte < 0x80 || byte > 0x9f)) noise[at++] = byte;
}
for (let at = 0; at < count; ) at += writeSync(1, noise, at);
