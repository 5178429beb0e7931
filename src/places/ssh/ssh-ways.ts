/**
 * The ways to a place over ssh. If a control master of the user runs, limpet uses its connection. Otherwise the first
 * link becomes limpet's own control master, with a socket in limpet's state directory, and later links use its
 * connection. If a server allows only one session per connection, ssh opens another connection by itself.
 *
 * ssh runs in the directory of the sockets and gets a relative path, because an absolute one may exceed the limit of
 * the kernel.
 */
import { createHash } from "node:crypto";
import { readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { makeDirectorySync } from "../../base/make-directory.ts";
import { openStateDirectory } from "../../host/state/state-directory.ts";
import { slowness } from "../../linux/processor-load.ts";
import { bootstrapScript, quotedForAnyShell } from "../boot/bootstrap-script.ts";
import type { Way } from "../link/way.ts";
import { callSsh } from "./call-ssh.ts";
import { controlArgv, type SshConnection, type SshTarget, sshArgv } from "./ssh-argv.ts";

/**
 * A control master that does not answer within this time counts as stuck. On a busy machine, a check may take longer.
 */
const CONTROL_MS = 5_000;
const MOST_SLOWNESS = 2;

export interface SshWaysOptions {
  readonly target: SshTarget;
  readonly stateDirectory: string;
}

export class SshWays {
  readonly target: SshTarget;
  readonly #stateDirectory: string;
  readonly #id: string;
  #avoidsUser = false;
  #ending: Promise<void> = Promise.resolve();

  constructor({ target, stateDirectory }: SshWaysOptions) {
    this.target = target.config === undefined ? target : { ...target, config: resolve(target.config) };
    this.#stateDirectory = resolve(stateDirectory);
    const { destination, config = null } = this.target;
    this.#id = createHash("sha256")
      .update(JSON.stringify([destination, config]))
      .digest("hex")
      .slice(0, 16);
  }

  /** The working directory of ssh for limpet's control master. */
  get directory(): string {
    return join(this.#stateDirectory, "ssh");
  }

  /**
   * The socket of limpet's control master, relative to `directory`. `%C` is ssh's hash of the host, the port, the user
   * and the jump host, so an alias that is changed to another machine gets another master.
   */
  get socket(): string {
    return `${this.#id}.%C`;
  }

  async next(): Promise<Way> {
    await this.#ending;
    if (!this.#avoidsUser && (await this.#userMasterRuns())) {
      const onDead = () => {
        this.#avoidsUser = true;
      };
      return this.#way({ kind: "user" }, { isShared: true, onDead });
    }
    this.prepare();
    const isShared = this.#sockets().length > 0;
    const onDead = () => {
      this.#ending = this.#endMaster();
    };
    return { ...this.#way({ kind: "shared", socket: this.socket }, { isShared, onDead }), cwd: this.directory };
  }

  /** Creates the directory of the sockets. Other users cannot read it. */
  prepare(): void {
    openStateDirectory(this.#stateDirectory).release();
    makeDirectorySync(this.directory, 0o700);
  }

  /** Whether limpet's control master runs. */
  async ownMasterRuns(): Promise<boolean> {
    if (this.#sockets().length === 0) return false;
    const argv = controlArgv("check", this.target, this.socket);
    return await callSsh(argv, { cwd: this.directory, timeoutMs: controlMs() });
  }

  #way(connection: SshConnection, about: Pick<Way, "isShared" | "onDead">): Way {
    return {
      ...about,
      argvFor: (nonce) => sshArgv(this.target, connection, quotedForAnyShell(bootstrapScript(nonce))),
    };
  }

  async #userMasterRuns(): Promise<boolean> {
    return await callSsh(controlArgv("check", this.target), { timeoutMs: controlMs() });
  }

  /** Ends limpet's control master and removes its socket. A master that ignores the request ends by itself later. */
  async #endMaster(): Promise<void> {
    const argv = controlArgv("exit", this.target, this.socket);
    await callSsh(argv, { cwd: this.directory, timeoutMs: controlMs() });
    for (const name of this.#sockets()) rmSync(join(this.directory, name), { force: true });
  }

  #sockets(): readonly string[] {
    try {
      return readdirSync(this.directory).filter((name) => name.startsWith(`${this.#id}.`));
    } catch {
      return [];
    }
  }
}

function controlMs(): number {
  return Math.round(CONTROL_MS * slowness(MOST_SLOWNESS));
}
