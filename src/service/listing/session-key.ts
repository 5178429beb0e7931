/**
 * How people and models write a session: `7` or `dev` on this machine, `build/7` or `build/dev` at a place. A name has
 * no slash, so the last slash is where the place ends: `ssh:me@build/7`. A name that is a path keeps its slashes:
 * `/bin/bash`, `build//bin/bash`. Pure.
 */
import type { SessionKey, SessionName } from "./session-name.ts";

/** A session, and where it is. */
export interface PlacedKey {
  /** Null: on this machine. */
  readonly place: string | null;
  /** The id or name there. */
  readonly key: SessionKey;
}

/** The key that finds this session from here: its id, or `build/7`. */
export function keyOf({ id, place }: Pick<SessionName, "id" | "place">): SessionKey {
  return place === null ? id : `${place}/${id}`;
}

/** Reads what `keyOf` and people write. */
export function parseSessionKey(key: SessionKey): PlacedKey {
  if (typeof key === "number" || key.startsWith("/")) return { place: null, key };
  const path = key.indexOf("//");
  const slash = path < 0 ? key.lastIndexOf("/") : path;
  if (slash < 0) return { place: null, key };
  return { place: key.slice(0, slash), key: key.slice(slash + 1) };
}

/** Whether a key that somebody typed means this session. */
export function isKeyOf(typed: SessionKey, { id, name, place }: SessionName): boolean {
  const { place: at, key } = parseSessionKey(typed);
  return at === place && (String(key) === String(id) || key === name);
}
