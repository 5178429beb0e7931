/**
 * Pseudorandom numbers that are derived from a text. So every door that knows the same hosts draws the same ones for
 * the same request. Pure.
 */

/** Returns a generator of whole numbers below `below`. The same text gives the same numbers. */
export function lotteryOf(text: string): (below: number) => number {
  let state = hashOf(text);
  return (below) => {
    state = (state + 0x9e3779b9) >>> 0;
    // Multiplying distributes evenly, unlike a remainder.
    return Math.floor((mix(state) / 2 ** 32) * below);
  };
}

/** A 32-bit hash. Not for secrets. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return mix(hash);
}

/** Each bit of the result depends on every bit of the number. */
function mix(number: number): number {
  let mixed = number ^ (number >>> 16);
  mixed = Math.imul(mixed, 0x7feb352d);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x846ca68b);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
