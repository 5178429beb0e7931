/**
 * An id, which reaches any session of the user, or a name, which is looked up in the project of the caller. A service
 * that spans places also takes `PLACE/ID` and `PLACE/NAME`.
 */
export type SessionKey = number | string;

/** The id and the name of a session, and where it is. */
export interface SessionName {
  /** Unique at its place. */
  readonly id: number;
  readonly name: string | null;
  /** The place where it runs; null: where the service itself is. */
  readonly place: string | null;
}
