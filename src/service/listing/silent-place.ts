/** A place that did not answer when it was last asked. */
export interface SilentPlace {
  readonly place: string;
  readonly problem: string;
}
