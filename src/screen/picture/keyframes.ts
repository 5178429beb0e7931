/** How a part of a picture moves, in CSS: it jumps from position to position without a transition. Pure. */

/** In pixels, from where it is at rest. */
export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Times are rounded to this. */
const FINEST_MS = 10;

export class Keyframes {
  readonly #percents: readonly string[];
  readonly #names = new Map<string, string>();

  /** `timesMs`: when each still begins. */
  constructor(timesMs: readonly number[], totalMs: number) {
    const digits = Math.max(0, Math.ceil(Math.log10(totalMs / (100 * FINEST_MS))));
    this.#percents = timesMs.map((ms) => `${Number(((100 * ms) / totalMs).toFixed(digits))}%`);
  }

  /** The name of the movement through these positions, one per still; undefined if it does not move. */
  name(places: readonly Place[]): string | undefined {
    if (places.every(({ x, y }) => x === 0 && y === 0)) return undefined;
    const text = this.#textOf(places);
    const name = this.#names.get(text) ?? `k${this.#names.size}`;
    this.#names.set(text, name);
    return name;
  }

  /** All movements that have a name. */
  css(): readonly string[] {
    return [...this.#names].map(([text, name]) => `.${name}{animation-name:${name}}@keyframes ${name}{${text}}`);
  }

  #textOf(places: readonly Place[]): string {
    const times = new Map<string, string[]>();
    let last = "";
    for (const [still, { x, y }] of places.entries()) {
      const place = transform({ x, y });
      if (place === last) continue;
      const percents = times.get(place) ?? [];
      percents.push(this.#percents[still] ?? "");
      times.set(place, percents);
      last = place;
    }
    return [...times].map(([place, percents]) => `${percents.join()}{transform:${place}}`).join("");
  }
}

function transform({ x, y }: Place): string {
  if (x === 0 && y === 0) return "none";
  return y === 0 ? `translate(${x}px)` : `translate(${x}px,${y}px)`;
}
