/** Keys that grant access. Only their hashes are kept: whoever reads the memory or a file cannot use them. */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** Enough that nobody can guess them. */
const KEY_BYTES = 32;
/** Far more than any key has: hashing what a stranger sent must not take long. */
const MAX_GIVEN_CHARS = 256;

export interface NewKey {
  /** For its owner: letters, digits, `-` and `_`. */
  readonly key: string;
  readonly hash: Buffer;
}

/** `prefix` shows people and secret scanners what it is. */
export function newKey(prefix = ""): NewKey {
  const key = `${prefix}${randomBytes(KEY_BYTES).toString("base64url")}`;
  return { key, hash: hashOf(key) };
}

function hashOf(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** The entry with the hash of `given`. Takes the same time for each entry. */
export function findByKey<T>(given: string, all: Iterable<readonly [hash: Buffer, value: T]>): T | undefined {
  if (given === "" || given.length > MAX_GIVEN_CHARS) return undefined;
  const hash = hashOf(given);
  let found: T | undefined;
  for (const [known, value] of all) {
    if (known.length === hash.length && timingSafeEqual(known, hash)) found = value;
  }
  return found;
}
