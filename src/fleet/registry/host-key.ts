/**
 * The identity of a host: a key pair in its state directory. Without the key, no process can answer under the host's
 * name.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signWith,
  verify,
} from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

export interface HostKey {
  /** DER in base64. */
  readonly publicKey: string;
  sign(text: string): string;
}

/** Creates the key if the file does not exist. Only the owner of the host's lock may call this. */
export function hostKey(file: string): HostKey {
  const key = readKey(file) ?? createKey(file);
  return {
    publicKey: createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64"),
    sign: (text) => signWith(null, Buffer.from(text), key).toString("base64"),
  };
}

/** Whether the owner of the public key has signed the text. */
export function isSignedBy(publicKey: string, text: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(publicKey, "base64"), type: "spki", format: "der" });
    return verify(null, Buffer.from(text), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

function readKey(file: string): KeyObject | undefined {
  try {
    return createPrivateKey(readFileSync(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

function createKey(file: string): KeyObject {
  const { privateKey } = generateKeyPairSync("ed25519");
  writeFileSync(file, privateKey.export({ type: "pkcs8", format: "pem" }), { mode: 0o600, flag: "wx" });
  return privateKey;
}
