/** Pieces of paths, one path per colour in the end. */
export class PathsByColour {
  readonly #pieces = new Map<string, string[]>();

  add(colour: string, path: string): void {
    const pieces = this.#pieces.get(colour);
    if (pieces === undefined) this.#pieces.set(colour, [path]);
    else pieces.push(path);
  }

  filled(): readonly string[] {
    return [...this.#pieces].map(
      ([colour, pieces]) => `<path fill="${colour}" shape-rendering="crispEdges" d="${pieces.join("")}"/>`,
    );
  }

  stroked(): readonly string[] {
    return [...this.#pieces].map(([colour, pieces]) => `<path fill="none" stroke="${colour}" d="${pieces.join("")}"/>`);
  }
}
