/**
 * Issues certificates for TLS: a self-signed authority, and servers that it signs. Node can read certificates but not
 * write them, and a program such as openssl may be missing.
 */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIP, isIPv4 } from "node:net";
import {
  derBits,
  derBoolean,
  derField,
  derInteger,
  derObjectId,
  derOctets,
  derPlainField,
  derSequence,
  derSet,
  derText,
  derTime,
} from "./der.ts";

const ID = {
  ecdsaWithSha256: "1.2.840.10045.4.3.2",
  commonName: "2.5.4.3",
  subjectKey: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectNames: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKey: "2.5.29.35",
  extendedUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
} as const;

/** Long, because nobody renews the certificates of a small fleet. Its operator can replace them at any time. */
const VALID_MS = 10 * 365 * 24 * 60 * 60 * 1000;
/** Certificates are valid from a day ago, because the clocks of machines differ. */
const EARLY_MS = 24 * 60 * 60 * 1000;

export interface IssuedCertificate {
  /** PEM. */
  readonly certificate: string;
  readonly key: KeyObject;
  readonly name: string;
}

/** An authority that can sign servers, but no other authorities. */
export function issueAuthority(name: string): IssuedCertificate {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions = [
    extension(ID.basicConstraints, derSequence(derBoolean("true"), derInteger(0)), { isCritical: true }),
    // keyCertSign
    extension(ID.keyUsage, derBits(Buffer.of(0x04), 2), { isCritical: true }),
  ];
  return issue({ name, key: privateKey, extensions });
}

/** A certificate for a server with these host names and addresses. */
export function issueServer(authority: IssuedCertificate, names: readonly string[]): IssuedCertificate {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions = [
    extension(ID.basicConstraints, derSequence(), { isCritical: true }),
    // digitalSignature
    extension(ID.keyUsage, derBits(Buffer.of(0x80), 7), { isCritical: true }),
    extension(ID.extendedUsage, derSequence(derObjectId(ID.serverAuth))),
    extension(ID.subjectNames, derSequence(...names.map(subjectName))),
  ];
  return issue({ name: names[0] ?? "server", key: privateKey, extensions, authority });
}

interface Issue {
  readonly name: string;
  readonly key: KeyObject;
  readonly extensions: readonly Buffer[];
  /** Default: itself. */
  readonly authority?: IssuedCertificate;
}

function issue({ name, key, extensions, authority = { name, key, certificate: "" } }: Issue): IssuedCertificate {
  const algorithm = derSequence(derObjectId(ID.ecdsaWithSha256));
  const nowMs = Date.now();
  const serial = randomBytes(16);
  // The serial number must be positive, without a leading zero byte.
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40;
  const body = derSequence(
    derField(0, derInteger(2)),
    derInteger(serial),
    algorithm,
    distinguishedName(authority.name),
    derSequence(derTime(nowMs - EARLY_MS), derTime(nowMs + VALID_MS)),
    distinguishedName(name),
    publicPartOf(key),
    derField(
      3,
      derSequence(
        ...extensions,
        extension(ID.subjectKey, derOctets(keyId(key))),
        extension(ID.authorityKey, derSequence(derPlainField(0, keyId(authority.key)))),
      ),
    ),
  );
  const whole = derSequence(body, algorithm, derBits(sign("sha256", body, authority.key)));
  const lines = whole.toString("base64").replace(/.{1,64}/g, "$&\n");
  return { certificate: `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`, key, name };
}

function distinguishedName(name: string): Buffer {
  return derSequence(derSet(derSequence(derObjectId(ID.commonName), derText(name.slice(0, 64)))));
}

function extension(id: string, value: Buffer, { isCritical = false } = {}): Buffer {
  return derSequence(derObjectId(id), ...(isCritical ? [derBoolean("true")] : []), derOctets(value));
}

function subjectName(name: string): Buffer {
  return isIP(name) === 0 ? derPlainField(2, Buffer.from(name)) : derPlainField(7, addressBytes(name));
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split(".").map(Number));
  // The URL parser converts an IPv4 part at the end and normalises all short forms.
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::");
  const groups = (text = "") => (text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16)));
  const [first, last] = [groups(head), groups(tail)];
  const zeros = new Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0);
  return Buffer.from([...first, ...zeros, ...last].flatMap((group) => [group >> 8, group & 0xff]));
}

function publicPartOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

function keyId(key: KeyObject): Buffer {
  return createHash("sha256").update(publicPartOf(key)).digest().subarray(0, 20);
}
