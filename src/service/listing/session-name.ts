/** An id, which reaches any session of the user, or a name, which is looked up in the project of the caller. */
export type SessionKey = number | string;

/** The id and the name of a session. */
export interface SessionName {
  readonly id: number;
  readonly name: string | null;
}
