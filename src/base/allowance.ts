/** What applies to programs of an agent by default, and the most that it can ask for. Pure. */

/** Undefined stands for no restriction. The default is never wider than the ceiling. */
export interface Allowance<T> {
  readonly default: T | undefined;
  readonly ceiling: T | undefined;
}

/**
 * One value for both default and ceiling, or one for each. A function is called before each act with the place of the
 * act: null for this machine.
 */
export type Allowed<T> = T | Allowance<T> | ((place: string | null) => T | Allowance<T> | undefined);

/** A single value becomes both the default and the ceiling. */
export function allowanceOf<T extends object>(given: T | Allowance<T> | undefined): Allowance<T> {
  return given && "ceiling" in given ? given : { default: given, ceiling: given };
}
