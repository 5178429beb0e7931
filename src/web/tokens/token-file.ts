/**
 * The tokens of agents, in one file of the state directory that only its owner can read. The file has hashes, so that a
 * copy of it grants no access. Each use reads it again if it has changed, so a revoked token stops working at once.
 */
import { closeSync, constants, fsyncSync, openSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
import { MAX_TOKENS } from "../../base/web-limits.ts";
import { readPlainFile } from "../../config/read-plain-file.ts";
import { inState } from "../../host/state/state-directory.ts";
import { takeFileLock } from "../../linux/file-lock.ts";
import type { Right } from "../server/route.ts";
import { findByKey, newKey } from "../server/sign-in/secret-key.ts";

/** What people see of a token. */
export interface ListedToken {
  readonly name: string;
  readonly scope: Right;
  readonly createdMs: number;
  readonly expiresMs: number;
}

interface Token extends ListedToken {
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
}

interface NewToken {
  readonly name: string;
  readonly scope: Right;
  readonly forMs: number;
}

/** It is the name of a caller, and stands in one-line listings. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const PREFIX = "limpet_";

const schema = z.strictObject({
  version: z.literal(1),
  tokens: z
    .array(
      z.strictObject({
        name: z.string().regex(NAME),
        scope: z.enum(["view", "control"]),
        createdMs: z.number(),
        expiresMs: z.number(),
        hash: z.string().regex(/^[0-9a-f]{64}$/),
      }),
    )
    .max(MAX_TOKENS),
});

export class TokenFile {
  readonly #path: string;
  readonly #now: () => number;
  #read: { readonly version: string; readonly tokens: readonly Token[] } | undefined;

  constructor(stateDirectory: string, now: () => number = Date.now) {
    this.#path = join(stateDirectory, "tokens.json");
    this.#now = now;
  }

  /** Returns the token, which limpet does not store. */
  create({ name, scope, forMs }: NewToken): { readonly token: string; readonly listed: ListedToken } {
    if (!NAME.test(name))
      throw new LimpetError(
        "BAD_OPTION",
        `${JSON.stringify(name)} is not a name for a token. Use up to 64 letters, digits, ".", "_" and "-".`,
      );
    const now = this.#now();
    const { key: token, hash } = newKey(PREFIX);
    const listed = { name, scope, createdMs: now, expiresMs: now + forMs };
    this.#change((tokens) => {
      const valid = tokens.filter(({ expiresMs }) => expiresMs > now);
      if (valid.some((other) => other.name === name))
        throw new LimpetError(
          "NAME_TAKEN",
          `The token ${name} already exists. Revoke it first: limpet token revoke ${name}`,
        );
      if (valid.length >= MAX_TOKENS)
        throw new LimpetError(
          "BAD_OPTION",
          `There are already ${MAX_TOKENS} tokens. Revoke one: limpet token revoke NAME`,
        );
      return [...valid, { ...listed, hash: hash.toString("hex") }];
    });
    return { token, listed };
  }

  /** Rejects with `TOKEN_NOT_FOUND`. */
  revoke(name: string): void {
    this.#change((tokens) => {
      const left = tokens.filter((token) => token.name !== name);
      if (left.length === tokens.length)
        throw new LimpetError("TOKEN_NOT_FOUND", `Unknown token ${JSON.stringify(name)}. See limpet token list.`);
      return left;
    });
  }

  /** Those that have not expired. */
  list(): readonly ListedToken[] {
    return this.#valid().map(({ hash, ...listed }) => listed);
  }

  /** Undefined if it is not valid. */
  find(token: string): ListedToken | undefined {
    return findByKey(
      token,
      this.#valid().map(({ hash, ...listed }) => [Buffer.from(hash, "hex"), listed] as const),
    );
  }

  /** Whether the token that was found is still valid. */
  has({ name, createdMs }: ListedToken): boolean {
    return this.#valid().some((token) => token.name === name && token.createdMs === createdMs);
  }

  #valid(): readonly Token[] {
    return this.#tokens().filter(({ expiresMs }) => expiresMs > this.#now());
  }

  #tokens(): readonly Token[] {
    const { ino, size, mtimeNs } = statSync(this.#path, { bigint: true, throwIfNoEntry: false }) ?? {};
    const version = `${ino} ${size} ${mtimeNs}`;
    if (this.#read?.version !== version) this.#read = { version, tokens: this.#load() };
    return this.#read.tokens;
  }

  #load(): readonly Token[] {
    try {
      const text = readPlainFile(this.#path, "refuse");
      return text === undefined ? [] : schema.parse(JSON.parse(text)).tokens;
    } catch (cause) {
      throw new LimpetError("BAD_CONFIG", `${this.#path} is damaged. Remove it, and create the tokens again.`, {
        cause,
      });
    }
  }

  /** Only one process changes the file at a time, and it always replaces the whole file. */
  #change(change: (tokens: readonly Token[]) => readonly Token[]): void {
    const lockPath = `${this.#path}.lock`;
    const lock = inState(lockPath, () => takeFileLock(lockPath));
    if (lock === undefined)
      throw new LimpetError(
        "BAD_CONFIG",
        "Another limpet token command is changing the tokens. Try again in a moment.",
      );
    try {
      const tokens = change(this.#load());
      inState(this.#path, () => replaceFile(this.#path, `${JSON.stringify({ version: 1, tokens }, null, 2)}\n`));
    } finally {
      lock.release();
    }
  }
}

function replaceFile(path: string, text: string): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW } = constants;
  const fd = openSync(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600);
  try {
    writeSync(fd, text);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(next, path);
}
