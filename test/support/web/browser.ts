/** A real browser for pages: Chromium without a window, that reaches nothing but this machine. */
import { type Browser, chromium, type Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../watching.ts";

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

/** A page of its own browser. `problems`: what went wrong in it. `asked`: every address that it asked for. */
export async function openPage({ width = 1100, height = 700 } = {}): Promise<{
  readonly page: Page;
  readonly problems: readonly string[];
  readonly asked: readonly string[];
}> {
  const browser: Browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: FLAGS,
    timeout: START_MS,
    env: { ...process.env, TMPDIR: temporaryDirectory() },
  });
  onTestFinished(() => browser.close());
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: "reduce" });
  page.setDefaultTimeout(START_MS);
  const problems: string[] = [];
  const asked: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("request", (request) => asked.push(request.url()));
  return { page, problems, asked };
}
