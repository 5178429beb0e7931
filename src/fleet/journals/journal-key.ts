/**
 * Compresses copies and encrypts them with the key of a fleet, so that NATS and its operators cannot read them. The
 * subject is authenticated too, so that a copy cannot replace that of another session or segment.
 */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw } from "node:zlib";
import { LimpetError } from "../../base/limpet-error.ts";

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)];
const CIPHER = "aes-256-gcm";
const FORM = 1;
const [NONCE_BYTES, TAG_BYTES, KEY_BYTES] = [12, 16, 32];
/** A copy is never larger than this when decompressed. */
const MAX_BYTES = 1024 * 1024;

export class JournalKey {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  async seal(subject: string, data: Uint8Array): Promise<Uint8Array> {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce).setAAD(Buffer.from(subject));
    const packed = await deflate(data, { level: 1 });
    return Buffer.concat([Buffer.of(FORM), nonce, cipher.update(packed), cipher.final(), cipher.getAuthTag()]);
  }

  /** Undefined if the data was not encrypted with this key for this subject. */
  async open(subject: string, sealed: Uint8Array): Promise<Buffer | undefined> {
    if (sealed[0] !== FORM || sealed.length < 1 + NONCE_BYTES + TAG_BYTES) return undefined;
    const nonce = sealed.subarray(1, 1 + NONCE_BYTES);
    try {
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES });
      decipher.setAAD(Buffer.from(subject)).setAuthTag(sealed.subarray(-TAG_BYTES));
      const packed = Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
      return await inflate(packed, { maxOutputLength: MAX_BYTES });
    } catch {
      return undefined;
    }
  }
}

/** Reads `journal.key` of `limpet fleet init`. */
export function readJournalKey(path: string): JournalKey {
  let text: string;
  try {
    text = readFileSync(path, "utf8").trim();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LimpetError("BAD_OPTION", `${path} cannot be read (${code}). Give the journal.key of the fleet.`, {
      cause,
    });
  }
  const key = Buffer.from(text, "base64url");
  if (/^[\w-]{43}$/.test(text) && key.length === KEY_BYTES) return new JournalKey(key);
  throw new LimpetError(
    "BAD_OPTION",
    `${path} does not contain a journal key. Give the journal.key that limpet fleet init has written.`,
  );
}
