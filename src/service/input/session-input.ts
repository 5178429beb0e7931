/** What is typed into a session, and by whom. */
import type { Stroke } from "../../keys/parse-stroke.ts";

/** What to type: text, bytes, or keys, pastes and clicks. Null closes the stdin of a program on pipes. */
export type SessionInput = string | Uint8Array | readonly Stroke[] | null;

/** Who types. */
export interface WriteOptions {
  /** The bytes count as typed by this caller. Default: no caller. */
  readonly caller?: string;
  /** A person may type into a session that is held. Default `agent`. */
  readonly by?: "agent" | "person";
  /** A person's keys keep agents from typing for this long after them. Default: not at all. */
  readonly holdMs?: number;
}
