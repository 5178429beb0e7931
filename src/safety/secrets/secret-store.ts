/**
 * Secrets that a person has stored with `limpet secret set`: each in a file of its own that only the user can read, or
 * in the desktop's keyring. An empty file with the ending `.keyring` stands for one in the keyring.
 */
import { randomBytes } from "node:crypto";
import { chmod, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeDirectory } from "../../base/make-directory.ts";
import { runSecretCommand } from "./run-secret-command.ts";
import { isSecretName, MAX_SECRET_BYTES } from "./secret-source.ts";

const KEYRING = ".keyring";
const FOR_OTHERS = 0o077;

/** Where a stored secret is. */
export type StoredIn = "file" | "keyring";

export class SecretStore {
  readonly #directory: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor({ directory, env }: { readonly directory: string; readonly env: NodeJS.ProcessEnv }) {
    this.#directory = directory;
    this.#env = env;
  }

  /** By name. */
  async list(): Promise<ReadonlyMap<string, StoredIn>> {
    const files = await readdir(this.#directory).catch(() => []);
    const found = files.sort().map((file) => [basename(file, KEYRING), file.endsWith(KEYRING) ? "keyring" : "file"]);
    return new Map((found as [string, StoredIn][]).filter(([name]) => isSecretName(name)));
  }

  /** Replaces the one of that name. */
  async set(name: string, value: string, place: StoredIn): Promise<void> {
    await makeDirectory(this.#directory, 0o700);
    await chmod(this.#directory, 0o700);
    if (place === "keyring") {
      const command = ["secret-tool", "store", "--label", `limpet: ${name}`, ...attributes(name)];
      await this.#keyring({ command, input: value });
      await this.#write(name + KEYRING, "");
      await rm(this.#file(name), { force: true });
    } else {
      await this.#write(name, value);
      await this.#forgetKeyring(name);
    }
  }

  /** False if there is none of that name. */
  async remove(name: string): Promise<boolean> {
    const place = (await this.list()).get(name);
    if (place === "file") await rm(this.#file(name));
    await this.#forgetKeyring(name);
    return place !== undefined;
  }

  async read(name: string, place: StoredIn): Promise<Buffer> {
    if (place === "keyring") return await this.#keyring({ command: ["secret-tool", "lookup", ...attributes(name)] });
    const file = this.#file(name);
    await requirePrivate(file);
    return await readFile(file);
  }

  async #forgetKeyring(name: string): Promise<void> {
    if (!(await stat(this.#file(name + KEYRING)).catch(() => undefined))) return;
    await this.#keyring({ command: ["secret-tool", "clear", ...attributes(name)] });
    await rm(this.#file(name + KEYRING), { force: true });
  }

  #keyring(request: { readonly command: readonly string[]; readonly input?: string }): Promise<Buffer> {
    return runSecretCommand({ ...request, env: this.#env });
  }

  /** A crash leaves the old file or the new one, never a part of it. */
  async #write(name: string, content: string): Promise<void> {
    const hidden = this.#file(`.${name}.${randomBytes(6).toString("hex")}`);
    const file = await open(hidden, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(hidden, this.#file(name));
  }

  #file(name: string): string {
    return join(this.#directory, name);
  }
}

function attributes(name: string): readonly string[] {
  return ["application", "limpet", "secret", name];
}

async function requirePrivate(file: string): Promise<void> {
  const [own, around] = await Promise.all([stat(file), stat(dirname(file))]);
  const isPrivate = own.isFile() && ((own.mode | around.mode) & FOR_OTHERS) === 0 && own.uid === process.geteuid?.();
  if (isPrivate && own.size <= MAX_SECRET_BYTES) return;
  throw new LimpetError(
    "SECRET_UNAVAILABLE",
    `${file} is not a small file that only you can read. Set the secret again, and check who could read it.`,
  );
}
