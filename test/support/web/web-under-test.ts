/** A real `limpet web` with a host of its own, and a browser that signs in to it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { type Cli, openCli } from "../cli.ts";
import { type OpenedPage, openPageIn, type PageOptions, startBrowser } from "./browser.ts";

export interface WebUnderTest extends AsyncDisposable {
  readonly cli: Cli;
  readonly browser: Browser;
  /** A new link, which works once. */
  link(): Promise<string>;
  /** A page that is signed in. `view`: the fragment of the address, such as `#/approvals`. */
  open(options?: PageOptions & { readonly view?: string }): Promise<OpenedPage>;
}

/** `words`: more of the command line, such as those that name a fleet. */
export async function openWeb(words: readonly string[] = []): Promise<WebUnderTest> {
  const cli = openCli();
  const folder = mkdtempSync(join(tmpdir(), "limpet-browser-"));
  const browser = await startBrowser(folder);
  const link = async (): Promise<string> => {
    const { code, stdout, stderr } = await cli.limpet(["web", ...words]);
    const found = /https?:\/\/\S+#key=\S+/.exec(stdout)?.[0];
    if (code !== 0 || found === undefined) throw new Error(`limpet web gave ${code}: ${stdout}${stderr}`);
    return found;
  };
  return {
    cli,
    browser,
    link,
    async open({ view, ...options } = {}) {
      const opened = await openPageIn(browser, options);
      await opened.page.goto(await link());
      await opened.page.getByRole("navigation", { name: "Views" }).waitFor();
      if (view !== undefined) await opened.page.evaluate(`location.hash = ${JSON.stringify(view)}`);
      return opened;
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await cli.limpet(["web", "stop"]);
      await cli[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
