/** Errors of a contender that are results of the comparison. */

/** The contender has no way to do this. It is absent from the row. */
export class Unable extends Error {}

export function needs(peer, verb) {
  if (peer[verb] === undefined) throw new Unable(`has no ${verb}`);
}
