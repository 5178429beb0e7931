/**
 * Pages in the state directory that lead to a link. limpet opens such a file in the browser, so that the key of the
 * link is not among the arguments of any program, where others can read it.
 */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WEB_LINK_MS } from "../../base/web-limits.ts";

export class LinkPages {
  readonly #directory: string;
  readonly #paths = new Set<string>();

  /** Removes the pages of a server that was killed. */
  constructor(stateDirectory: string) {
    this.#directory = stateDirectory;
    for (const name of readdirSync(stateDirectory)) {
      if (/^web-link-\d+-\d+\.html$/.test(name)) rmSync(join(stateDirectory, name), { force: true });
    }
  }

  /** `id`: of the link. The page is removed when the link has expired, or `close` is called. */
  make(id: string, link: string): string {
    const path = join(this.#directory, `web-link-${process.pid}-${id}.html`);
    const page = `<!doctype html><meta charset="utf-8"><title>limpet</title><meta http-equiv="refresh" content="0;url=${link}">\n`;
    writeFileSync(path, page, { mode: 0o600, flag: "wx" });
    this.#paths.add(path);
    setTimeout(() => this.#remove(path), WEB_LINK_MS).unref();
    return path;
  }

  close(): void {
    for (const path of this.#paths) this.#remove(path);
  }

  #remove(path: string): void {
    rmSync(path, { force: true });
    this.#paths.delete(path);
  }
}
