/** What programs of the zoo run in or talk to. Each place is opened once, at its first use, and closed at the end. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openSshd } from "../../support/places/sshd.mjs";
import { openDocker } from "./docker.mjs";
import { openHttpAuth } from "./http-auth.mjs";
import { openModel } from "./model.mjs";
import { openPodman } from "./podman.mjs";
import { openPostgres } from "./postgres.mjs";
import { openRedis } from "./redis.mjs";
import { openTalker } from "./talker.mjs";
import { openTelnetd } from "./telnetd.mjs";

const OPENERS = {
  docker: openDocker,
  "http-auth": openHttpAuth,
  model: openModel,
  podman: openPodman,
  postgres: openPostgres,
  redis: openRedis,
  sshd: openSshd,
  talker: openTalker,
  telnetd: openTelnetd,
};

export class Places {
  #folder;
  #opened = new Map();

  constructor(folder) {
    this.#folder = folder;
  }

  /** Resolves with the variables that lead a program there. */
  async open(name) {
    if (!this.#opened.has(name)) {
      const folder = join(this.#folder, name);
      mkdirSync(folder, { recursive: true });
      this.#opened.set(name, OPENERS[name](folder));
    }
    return (await this.#opened.get(name)).env;
  }

  async close() {
    for (const opening of this.#opened.values()) {
      const place = await opening.catch(() => undefined);
      await place?.close();
    }
  }
}
