/**
 * The directory that `limpet fleet init` writes: what a fleet needs on its machines, and the keys with which its
 * operator adds more of them. Nobody else can read it.
 *
 *   keys/operator.seed, account.seed, ca.key   stay with the operator
 *   server/                                    for the machine of nats-server: configuration, certificate, key
 *   hosts/NAME.creds, doors/NAME.creds         one file for each machine
 *   operator.creds                             for `limpet fleet` commands of the operator
 *   ca.crt, journal.key                        for all hosts and doors
 */
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";
import { requireFleetName } from "../subjects.ts";
import { accountToken, operatorToken } from "./account-tokens.ts";
import { issueAuthority, issueServer } from "./certificate/issue-certificate.ts";
import { credsText } from "./creds-text.ts";
import { createFleetKey, type FleetKey, readFleetKey } from "./fleet-key.ts";
import type { UserKind } from "./permissions-of.ts";
import { serverConfig } from "./server-config.ts";
import { userToken } from "./user-token.ts";

export interface FleetUser {
  readonly kind: Exclude<UserKind, "operator">;
  readonly name: string;
}

export interface InitFleetOptions {
  readonly users: readonly FleetUser[];
  /** The host names and addresses by which NATS is reached, for its certificate. */
  readonly servers: readonly string[];
}

const OPERATOR_NAME = "operator";

/** Returns the files for the machines. Throws if the directory contains anything. */
export function initFleet(directory: string, { users, servers }: InitFleetOptions): readonly string[] {
  const path = resolve(directory);
  for (const { kind, name } of users) requireFleetName(name, `--${kind}`);
  for (const server of servers) requireServerName(server);
  requireEmpty(path);
  const [operator, account, system] = [
    createFleetKey("operator"),
    createFleetKey("account"),
    createFleetKey("account"),
  ];
  const authority = issueAuthority(`limpet fleet ${account.publicKey.slice(0, 8)}`);
  const server = issueServer(authority, servers);
  writeNew(path, "keys/operator.seed", `${operator.seed}\n`);
  writeNew(path, "keys/account.seed", `${account.seed}\n`);
  writeNew(path, "keys/ca.key", pem(authority.key));
  writeNew(path, "ca.crt", authority.certificate);
  writeNew(path, "journal.key", `${randomBytes(32).toString("base64url")}\n`);
  writeNew(path, "server/server.crt", server.certificate);
  writeNew(path, "server/server.key", pem(server.key));
  const config = serverConfig({
    directory: join(path, "server"),
    operatorToken: operatorToken(operator, system.publicKey),
    accounts: {
      [account.publicKey]: accountToken(operator, { name: "limpet", publicKey: account.publicKey, stores: true }),
      [system.publicKey]: accountToken(operator, { name: "system", publicKey: system.publicKey, stores: false }),
    },
    systemAccount: system.publicKey,
  });
  writeNew(path, "server/nats-server.conf", config);
  writeUser(path, account, { kind: "operator", name: OPERATOR_NAME });
  return users.map((user) => writeUser(path, account, user));
}

/** Returns the file with the credentials. A user that exists keeps the file it has: the call throws. */
export function addFleetUser(directory: string, user: FleetUser): string {
  const path = resolve(directory);
  requireFleetName(user.name, "NAME");
  return writeUser(path, readAccount(path), user);
}

function readAccount(path: string): FleetKey {
  const file = join(path, "keys/account.seed");
  try {
    return readFleetKey(readFileSync(file, "utf8"), file);
  } catch (error) {
    if (error instanceof LimpetError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new LimpetError(
      "FILE_FAILED",
      `${file} cannot be read (${code}). Give the directory that limpet fleet init has written.`,
      { cause: error },
    );
  }
}

function writeUser(
  path: string,
  account: FleetKey,
  { kind, name }: Pick<FleetUser, "name"> & { kind: UserKind },
): string {
  const key = createFleetKey("user");
  const token = userToken(account, { kind, name, publicKey: key.publicKey });
  const file = kind === "operator" ? "operator.creds" : `${kind}s/${name}.creds`;
  return writeNew(path, file, credsText(token, key.seed));
}

/** Fails if the file exists: credentials that are in use must not change. */
function writeNew(directory: string, name: string, text: string): string {
  const path = join(directory, name);
  try {
    makeDirectorySync(join(path, ".."), 0o700);
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
    return path;
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const why = code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
    const remedy = code === "EEXIST" ? "Use another name, or delete the file first." : "Check the directory.";
    throw new LimpetError("FILE_FAILED", `${path} ${why}. ${remedy}`, { cause });
  }
}

function requireEmpty(path: string): void {
  let found: readonly string[];
  try {
    found = readdirSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return;
    throw new LimpetError("FILE_FAILED", `${path} cannot be read as a directory. Use another one.`, { cause: error });
  }
  if (found.length > 0)
    throw new LimpetError(
      "BAD_OPTION",
      `${path} is not empty. Use another directory, or add to this fleet with: limpet fleet add host|door NAME ${path}`,
    );
}

function requireServerName(name: string): void {
  if (/^[A-Za-z0-9.:-]{1,253}$/.test(name)) return;
  throw new LimpetError("BAD_OPTION", `--server is ${JSON.stringify(name)}. Give a host name or an IP address.`);
}

function pem(key: { export(options: { type: "pkcs8"; format: "pem" }): string | Buffer }): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}
