/**
 * The named secrets of the user: those that `config.json` describes, and those that were stored with `limpet secret`.
 * A value is read at the moment of its use and not kept.
 */
import { open } from "node:fs/promises";
import { LimpetError } from "../../base/limpet-error.ts";
import { visibleLine } from "../../text/clean/quote-line.ts";
import { nearestWords } from "../../text/search/nearest-words.ts";
import { runSecretCommand } from "./run-secret-command.ts";
import { MAX_SECRET_BYTES, requireSecretName, type SecretSource, secretIn } from "./secret-source.ts";
import type { SecretStore, StoredIn } from "./secret-store.ts";

export interface VaultOptions {
  readonly store: SecretStore;
  /** Read at each use, so that a change of the file needs no new host. Throws if the file has a mistake. */
  readonly configured: () => Readonly<Record<string, SecretSource>>;
  /** Where `{ "env": … }` looks, and what commands get. */
  readonly env: NodeJS.ProcessEnv;
}

/** A secret in a list: its name and where it comes from, never its value. */
export interface ListedSecret {
  readonly name: string;
  readonly from: "command" | "file" | "env" | "store" | "keyring";
}

const MOST_NAMED = 20;

export class SecretVault {
  readonly #options: VaultOptions;

  constructor(options: VaultOptions) {
    this.#options = options;
  }

  /** In the order of their names. */
  async list(): Promise<readonly ListedSecret[]> {
    const stored = [...(await this.#options.store.list())].map(([name, place]) => ({ name, from: storedFrom(place) }));
    const configured = Object.entries(this.#options.configured()).map(([name, source]) => ({
      name,
      from: kindOf(source),
    }));
    const all = new Map([...stored, ...configured].map((secret) => [secret.name, secret]));
    return [...all.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  /** Rejects with `SECRET_NOT_FOUND`, `SECRET_UNAVAILABLE` or `BAD_SECRET`, never with the value in the message. */
  async read(name: string): Promise<string> {
    requireSecretName(name);
    return secretIn(name, await this.#contentOf(name));
  }

  async #contentOf(name: string): Promise<Uint8Array> {
    const { store, configured, env } = this.#options;
    const sources = configured();
    const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (!source) {
      const place = (await store.list()).get(name);
      if (place === undefined) throw notFound(name, await this.list());
      return await store.read(name, place);
    }
    if ("command" in source) return await runSecretCommand({ command: source.command, env });
    if ("file" in source) return await readSmallFile(source.file);
    const value = env[source.env];
    if (value !== undefined) return Buffer.from(value);
    throw new LimpetError(
      "SECRET_UNAVAILABLE",
      `The variable ${source.env} is not set in the host. Restart the host where it is set, or use another source.`,
    );
  }
}

function kindOf(source: SecretSource): ListedSecret["from"] {
  if ("command" in source) return "command";
  return "file" in source ? "file" : "env";
}

function storedFrom(place: StoredIn): ListedSecret["from"] {
  return place === "file" ? "store" : "keyring";
}

/** A file may be a pipe that nobody writes to, or grow without end. */
async function readSmallFile(path: string): Promise<Uint8Array> {
  try {
    const file = await open(path, "r");
    try {
      if (!(await file.stat()).isFile()) throw new Error("not a regular file");
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_SECRET_BYTES + 1), 0, MAX_SECRET_BYTES + 1, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new LimpetError(
      "SECRET_UNAVAILABLE",
      `${visibleLine(path)} cannot be read (${code ?? message}). Check the path of the secret in config.json.`,
      { cause },
    );
  }
}

function notFound(name: string, listed: readonly ListedSecret[]): LimpetError {
  const names = listed.map((secret) => secret.name);
  const nearest = nearestWords(name, names);
  const shown = (nearest.length > 0 ? nearest : names).slice(0, MOST_NAMED);
  const known = shown.length === 0 ? "there are none" : `known: ${shown.join(", ")}`;
  return new LimpetError(
    "SECRET_NOT_FOUND",
    `Unknown secret ${name} (${known}). A person can set it with: limpet secret set ${name}`,
  );
}
