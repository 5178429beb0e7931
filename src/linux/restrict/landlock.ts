/**
 * Landlock, the part of the kernel that restricts a thread and everything it starts: which files may be used, which
 * processes may be signalled, and which ports may be connected to. A restriction cannot be removed.
 */
import { closeSync, constants, openSync } from "node:fs";
import { LimpetError } from "../../base/limpet-error.ts";
import { errno, errnoName, libc } from "../libc.ts";
import { callNumber } from "./syscall-numbers.ts";

type RightName =
  | "execute"
  | "writeFile"
  | "readFile"
  | "readDirectory"
  | "removeDirectory"
  | "removeFile"
  | "makeCharDevice"
  | "makeDirectory"
  | "makeFile"
  | "makeSocket"
  | "makeFifo"
  | "makeBlockDevice"
  | "makeLink"
  | "refer"
  | "truncate"
  | "deviceControl";

/** What a path may be used for, and with a directory everything below it. The numbers are the kernel's bits. */
export const RIGHTS: Readonly<Record<RightName, bigint>> = {
  execute: 1n << 0n,
  writeFile: 1n << 1n,
  readFile: 1n << 2n,
  readDirectory: 1n << 3n,
  removeDirectory: 1n << 4n,
  removeFile: 1n << 5n,
  makeCharDevice: 1n << 6n,
  makeDirectory: 1n << 7n,
  makeFile: 1n << 8n,
  makeSocket: 1n << 9n,
  makeFifo: 1n << 10n,
  makeBlockDevice: 1n << 11n,
  makeLink: 1n << 12n,
  /** Moving between directories. Since version 2. */
  refer: 1n << 13n,
  /** Since version 3. */
  truncate: 1n << 14n,
  /** ioctl on devices opened after the restriction. Since version 5. */
  deviceControl: 1n << 15n,
};

/** The rights that a single file can have; the others are about directories. */
const FILE_RIGHTS = RIGHTS.execute | RIGHTS.writeFile | RIGHTS.readFile | RIGHTS.truncate | RIGHTS.deviceControl;

/** The first version that can refuse each right beyond those of version 1. */
const SINCE: readonly (readonly [right: bigint, version: number])[] = [
  [RIGHTS.refer, 2],
  [RIGHTS.truncate, 3],
  [RIGHTS.deviceControl, 5],
];

/** Abstract sockets and signals to processes outside of the restriction. Since version 6. */
const SCOPES = (1n << 0n) | (1n << 1n);
const SCOPES_SINCE = 6;

/** What may be done with a path. */
export interface Grant {
  readonly path: string;
  readonly rights: bigint;
}

/** Connecting with TCP, to a port. Since version 4. */
const CONNECT_TCP = 1n << 1n;

const GET_VERSION = 1;
const PATH_BENEATH = 1;
const NET_PORT = 2;
const PR_SET_NO_NEW_PRIVS = 38;
/** Opens a path without access to the content of the file. Missing in Node's constants. */
const O_PATH = 0o10000000;

/** Landlock's version in this kernel; 0 without Landlock. */
export function landlockVersion(): number {
  return Math.max(0, libc.landlockCreate(callNumber("landlock_create_ruleset", process.arch), null, 0, GET_VERSION));
}

/** What a thread may do. */
export interface Restriction {
  readonly grants: readonly Grant[];
  /** The ports that it may connect to with TCP, on any host. Undefined: all. */
  readonly ports?: readonly number[] | undefined;
}

/**
 * Restricts the calling thread and everything that it starts later to the grants. A path that does not exist is
 * ignored.
 */
export function restrictThread({ grants, ports }: Restriction): void {
  const version = landlockVersion();
  const handled = handledRights(version);
  const attributes = rulesetOf({ files: handled, network: ports ? CONNECT_TCP : 0n }, version);
  const ruleset = check(
    libc.landlockCreate(callNumber("landlock_create_ruleset", process.arch), ...attributes),
    "create the rules",
  );
  try {
    for (const grant of grants) addGrant(ruleset, grant, handled);
    for (const port of ports ?? []) addPort(ruleset, port);
    check(libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "give up new privileges");
    check(libc.landlockRestrict(callNumber("landlock_restrict_self", process.arch), ruleset, 0), "apply the rules");
  } finally {
    closeSync(ruleset);
  }
}

/** Pure: the rights that this version refuses unless they are granted. */
function handledRights(version: number): bigint {
  const all = Object.values(RIGHTS).reduce((sum, right) => sum | right, 0n);
  return SINCE.filter(([, since]) => version < since).reduce((sum, [right]) => sum & ~right, all);
}

/** The structure of the kernel, in the size that this version knows. */
function rulesetOf(
  handled: { readonly files: bigint; readonly network: bigint },
  version: number,
): [attributes: Buffer, size: number, flags: number] {
  const attributes = Buffer.alloc(24);
  attributes.writeBigUInt64LE(handled.files, 0);
  attributes.writeBigUInt64LE(handled.network, 8);
  if (version >= SCOPES_SINCE) attributes.writeBigUInt64LE(SCOPES, 16);
  return [attributes, version >= SCOPES_SINCE ? 24 : version >= 4 ? 16 : 8, 0];
}

function addGrant(ruleset: number, { path, rights }: Grant, handled: bigint): void {
  const opened = openPath(path);
  if (!opened) return;
  try {
    const rule = Buffer.alloc(12);
    rule.writeBigUInt64LE(rights & handled & (opened.isDirectory ? ~0n : FILE_RIGHTS), 0);
    rule.writeInt32LE(opened.fd, 8);
    if (rule.readBigUInt64LE(0) === 0n) return;
    check(
      libc.landlockAddRule(callNumber("landlock_add_rule", process.arch), ruleset, PATH_BENEATH, rule, 0),
      `grant ${path}`,
    );
  } finally {
    closeSync(opened.fd);
  }
}

function addPort(ruleset: number, port: number): void {
  const rule = Buffer.alloc(16);
  rule.writeBigUInt64LE(CONNECT_TCP, 0);
  rule.writeBigUInt64LE(BigInt(port), 8);
  check(
    libc.landlockAddRule(callNumber("landlock_add_rule", process.arch), ruleset, NET_PORT, rule, 0),
    `grant port ${port}`,
  );
}

/** Undefined if the path does not exist. A symbolic link is not followed, because it could lead to a hidden file. */
function openPath(path: string): { readonly fd: number; readonly isDirectory: boolean } | undefined {
  for (const isDirectory of [true, false]) {
    try {
      const kind = isDirectory ? constants.O_DIRECTORY : 0;
      return { fd: openSync(path, O_PATH | constants.O_NOFOLLOW | kind), isDirectory };
    } catch {
      // Not a directory, or gone.
    }
  }
  return undefined;
}

function check(result: number, what: string): number {
  if (result >= 0) return result;
  throw new LimpetError(
    "SANDBOX_UNAVAILABLE",
    `The sandbox could not ${what} (${errnoName(errno())}). Run limpet doctor.`,
  );
}
