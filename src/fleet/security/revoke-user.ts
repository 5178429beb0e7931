/** Revokes the credentials of a machine. nats-server refuses them once it has read the new configuration. */
import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { requireFleetName } from "../subjects.ts";
import { accountToken } from "./account-tokens.ts";
import { claimsIn } from "./claims-in.ts";
import { credsFile, type FleetUser, keysFile } from "./fleet-user.ts";
import { readSeed } from "./read-seed.ts";

/**
 * Returns the path of the changed configuration of nats-server. Afterwards, new credentials can be added for the same
 * name.
 */
export function revokeUser(directory: string, user: FleetUser): string {
  const path = resolve(directory);
  requireFleetName(user.name, "NAME");
  const keys = publicKeysOf(path, user);
  const [account, operator] = [readSeed(path, "account"), readSeed(path, "operator")];
  const config = join(path, "server/nats-server.conf");
  const before = readConfig(config);
  const line = new RegExp(`^( *${account.publicKey}: *)(\\S+)$`, "m");
  const [, , token = ""] = line.exec(before) ?? [];
  const { name, nats } = claimsIn(token) ?? {};
  if (name === undefined || nats === undefined) throw unreadable(config);
  // NATS compares this with the time of the signature, in seconds.
  const now = Math.floor(Date.now() / 1000);
  const revocations = { ...asTimes(nats["revocations"]), ...Object.fromEntries(keys.map((key) => [key, now])) };
  const request = { name, publicKey: account.publicKey, stores: true, revocations };
  const after = before.replace(line, (_, key: string) => key + accountToken(operator, request));
  // Replaced atomically, because the server may read it at any time.
  writeFileSync(`${config}.new`, after, { mode: 0o600 });
  renameSync(`${config}.new`, config);
  for (const file of [credsFile(user), keysFile(user)]) rmSync(join(path, file), { force: true });
  return config;
}

/** The keys of all credentials that were signed for this name. */
function publicKeysOf(path: string, user: FleetUser): readonly string[] {
  const file = join(path, keysFile(user));
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LimpetError(
      "BAD_OPTION",
      `This fleet has no ${user.kind} ${JSON.stringify(user.name)} (${file}: ${code}). Give a name that was added.`,
      { cause },
    );
  }
}

function readConfig(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw unreadable(file, cause);
  }
}

function unreadable(file: string, cause?: unknown): LimpetError {
  return new LimpetError(
    "FILE_FAILED",
    `${file} does not contain the account of this fleet. Restore it as limpet fleet init has written it.`,
    { cause },
  );
}

function asTimes(value: unknown): Readonly<Record<string, number>> {
  return typeof value === "object" && value !== null ? (value as Record<string, number>) : {};
}
