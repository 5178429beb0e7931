/** The password of a server that other machines reach. Only a slow hash of it is kept. */
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { LimpetError } from "../../../base/limpet-error.ts";

/** A person can remember it, and nobody can try all of them at ten per minute. */
const MIN_CHARS = 12;
const MAX_CHARS = 256;
const HASH_BYTES = 32;
const SALT_BYTES = 16;

export interface Password {
  matches(given: string): Promise<boolean>;
}

/** `text`: the content of the file. A line feed at its end does not count. */
export async function passwordOf(text: string): Promise<Password> {
  const password = text.replace(/\r?\n$/, "");
  if (password.length < MIN_CHARS || password.length > MAX_CHARS)
    throw new LimpetError(
      "BAD_OPTION",
      `The password has ${password.length} characters. Use ${MIN_CHARS} to ${MAX_CHARS}.`,
    );
  const salt = randomBytes(SALT_BYTES);
  const hash = await slowHash(password, salt);
  return {
    async matches(given) {
      if (given.length > MAX_CHARS) return false;
      return timingSafeEqual(await slowHash(given, salt), hash);
    },
  };
}

function slowHash(text: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(text.normalize("NFC"), salt, HASH_BYTES, (error, hash) => (error ? reject(error) : resolve(hash))),
  );
}
