/** NATS keys. The only file that imports the library for them. */
import { createAccount, createOperator, createUser, fromSeed, type KeyPair } from "@nats-io/nkeys";
import { LimpetError } from "../../base/limpet-error.ts";

type KeyKind = "operator" | "account" | "user";

const CREATE: Readonly<Record<KeyKind, () => KeyPair>> = {
  operator: createOperator,
  account: createAccount,
  user: createUser,
};

/** A key pair. The first letters of both texts say what it is for. */
export interface FleetKey {
  readonly publicKey: string;
  /** The private key as text. */
  readonly seed: string;
  sign(text: string): Uint8Array;
}

export function createFleetKey(kind: KeyKind): FleetKey {
  return keyOf(CREATE[kind]());
}

/** `path`: the file of the seed, for the error message. */
export function readFleetKey(seed: string, path: string): FleetKey {
  try {
    return keyOf(fromSeed(Buffer.from(seed.trim())));
  } catch (cause) {
    throw new LimpetError(
      "BAD_CONFIG",
      `${path} does not contain a NATS key. Restore it, or create another fleet with limpet fleet init.`,
      { cause },
    );
  }
}

function keyOf(pair: KeyPair): FleetKey {
  return {
    publicKey: pair.getPublicKey(),
    seed: Buffer.from(pair.getSeed()).toString(),
    sign: (text) => pair.sign(Buffer.from(text)),
  };
}
