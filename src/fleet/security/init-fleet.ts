/**
 * The directory that `limpet fleet init` writes: the files for the machines of a fleet, and the keys with which its
 * operator adds machines. Only the operator can read it.
 *
 *   keys/operator.seed, account.seed, ca.key   stay with the operator
 *   keys/hosts/NAME.pub, keys/doors/NAME.pub   the public keys of all machines, to revoke them
 *   server/                                    for the machine of nats-server: configuration, certificate, key
 *   hosts/NAME.creds, doors/NAME.creds         one file for each machine
 *   operator.creds                             for `limpet fleet` commands of the operator
 *   ca.crt, journal.key                        for all hosts and doors
 */
import { randomBytes } from "node:crypto";
import { appendFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";
import { requireFleetName } from "../subjects.ts";
import { accountToken, operatorToken } from "./account-tokens.ts";
import { issueAuthority, issueServer } from "./certificate/issue-certificate.ts";
import { credsText } from "./creds-text.ts";
import { createFleetKey, type FleetKey } from "./fleet-key.ts";
import { credsFile, type FleetUser, keysFile } from "./fleet-user.ts";
import { readSeed } from "./read-seed.ts";
import { serverConfig } from "./server-config.ts";
import { userToken } from "./user-token.ts";

export interface InitFleetOptions {
  readonly users: readonly FleetUser[];
  /** The host names and addresses of NATS, for its certificate. */
  readonly servers: readonly string[];
}

const OPERATOR_NAME = "operator";

/** Returns the credentials files of the machines. Throws if the directory is not empty. */
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
  writeOperator(path, account);
  return users.map((user) => writeUser(path, account, user));
}

export interface NewUser extends FleetUser {
  /** When the credentials expire, in milliseconds since 1970. Default: never. */
  readonly expiresMs?: number | undefined;
}

/** Returns the file with the credentials. Throws if the user already has such a file. */
export function addFleetUser(directory: string, user: NewUser): string {
  const path = resolve(directory);
  requireFleetName(user.name, "NAME");
  return writeUser(path, readSeed(path, "account"), user);
}

function writeUser(path: string, account: FleetKey, user: NewUser): string {
  const key = createFleetKey("user");
  const token = userToken(account, { ...user, publicKey: key.publicKey });
  const file = writeNew(path, credsFile(user), credsText(token, key.seed));
  const keys = join(path, keysFile(user));
  makeDirectorySync(join(keys, ".."), 0o700);
  appendFileSync(keys, `${key.publicKey}\n`, { mode: 0o600 });
  return file;
}

function writeOperator(path: string, account: FleetKey): void {
  const key = createFleetKey("user");
  const token = userToken(account, { kind: "operator", name: OPERATOR_NAME, publicKey: key.publicKey });
  writeNew(path, "operator.creds", credsText(token, key.seed));
}

/** Throws if the file exists: credentials that are in use must not change. */
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
