/** A real browser for pages: Chromium without a window, that reaches nothing but this machine. */
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";

/** Root has no sandbox there. The rest keeps it from looking for hosts of its vendor. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const START_MS = 60_000;

export interface OpenedPage {
  readonly page: Page;
  /** What went wrong in it: errors of scripts, and what the policy of the page refused. */
  readonly problems: readonly string[];
  /** Every address that it asked for. */
  readonly asked: readonly string[];
}

export interface PageOptions extends BrowserContextOptions {
  readonly width?: number;
  readonly height?: number;
}

/** A browser for several tests: whoever starts it closes it. Its files are in `folder`. */
export async function startBrowser(folder: string, flags: readonly string[] = []): Promise<Browser> {
  return await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: [...FLAGS, ...flags],
    timeout: START_MS,
    env: { ...process.env, TMPDIR: folder },
  });
}

/** A page with cookies of its own, as that of another person. */
export async function openPageIn(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  const { width = 1100, height = 700, ...rest } = options;
  const context = await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce", ...rest });
  onTestFinished(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(START_MS);
  const problems: string[] = [];
  const asked: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    // A session may end between the list and its picture (404), or its host may die (503).
    const isLatePicture = /\b(404|503)\b/.test(message.text()) && /\/picture\?/.test(message.location().url);
    if (message.type() === "error" && !isLatePicture) problems.push(message.text());
  });
  page.on("request", (request) => asked.push(request.url()));
  return { page, problems, asked };
}
