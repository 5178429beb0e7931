/** Recordings as pages, in a real browser. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readRecording, recordingPage } from "../../../src/entries/record.ts";
import { needs } from "../../support/needs.ts";
import { temporaryDirectory } from "../../support/watching.ts";
import { openPageIn, startBrowser } from "../../support/web/browser.ts";

const HOSTILE = "</script><img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>";

/** Three seconds: `one`, then `two` below it, then both are cleared and `three` is there. */
const EVENTS = [
  [0, "o", "one"],
  [1, "m", "❯ make test"],
  [0, "o", "\r\ntwo"],
  [2, "m", HOSTILE],
  [0, "o", `\u001b[H\u001b[2Jthree ${HOSTILE}`],
];

interface RecordingOptions {
  readonly title?: string;
  readonly events?: typeof EVENTS;
  readonly width?: number;
}

async function openRecording(
  browser: Browser,
  { title = "A title", events = EVENTS, ...window }: RecordingOptions = {},
) {
  const folder = temporaryDirectory();
  const header = { version: 3, term: { cols: 160, rows: 4 }, title };
  writeFileSync(join(folder, "a.cast"), [header, ...events].map((line) => JSON.stringify(line)).join("\n"));
  const { html, ...about } = await recordingPage(await readRecording(join(folder, "a.cast")));
  const file = join(folder, "a.html");
  writeFileSync(file, html);
  const opened = await openPageIn(browser, window);
  await opened.page.goto(pathToFileURL(file).href);
  const screen = async () => (await opened.page.locator("#rows g").allTextContents()).filter(Boolean);
  return { ...opened, about, html, screen };
}

describe.skipIf(!needs("chromium"))("a page that plays a recording", { timeout: 120_000 }, () => {
  let browser: Browser;
  let folder: string;
  const open = (options?: RecordingOptions) => openRecording(browser, options);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "limpet-browser-"));
    browser = await startBrowser(folder);
  }, 120_000);

  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("shows the beginning, plays to the end, and can be played again", async () => {
    const { page, problems, asked, about, screen } = await open();
    expect(await screen()).toEqual(["one"]);

    await page.getByLabel("Speed").selectOption("16");
    await page.getByRole("button", { name: "Play" }).click();
    await page.getByText("0:03 / 0:03").waitFor();

    expect(await screen()).toEqual([`three ${HOSTILE}`]);
    expect(about).toMatchObject({ stills: 3, durationMs: 3_000 });
    await page.getByRole("button", { name: "Play" }).waitFor();
    expect(asked.filter((url) => !url.startsWith("file:"))).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("seeks by keys and by its commands, forwards and backwards", async () => {
    const { page, screen } = await open();

    await page.getByRole("button", { name: "❯ make test" }).click();
    expect(await screen()).toEqual(["one", "two"]);
    await page.locator("h1").click();
    await page.keyboard.press("End");
    expect(await screen()).toEqual([`three ${HOSTILE}`]);
    await page.keyboard.press("Home");
    expect(await screen()).toEqual(["one"]);
    await page.keyboard.press("ArrowRight");
    expect(await screen()).toEqual([`three ${HOSTILE}`]);
  });

  test("has a slider that reaches the end of a recording of any length", async () => {
    const events = [
      [0, "o", "one"],
      [1.004, "o", "\r\ntwo"],
    ];
    const { page, screen } = await open({ events });
    expect(await screen()).toEqual(["one"]);

    await page.getByLabel("Position").focus();
    await page.keyboard.press("End");

    expect(await screen()).toEqual(["one", "two"]);
  });

  test("runs nothing that a recording contains", async () => {
    const { page, html, problems } = await open({ title: HOSTILE });
    await page.locator("h1").click();
    await page.keyboard.press("End");

    expect(await page.title()).toBe(HOSTILE);
    expect(await page.locator("img").count()).toBe(0);
    expect(html).toContain("default-src 'none'");
    expect(problems).toEqual([]);
  });

  test("fits a phone, and everything can be reached by the Tab key", async () => {
    const { page } = await open({ width: 360 });

    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
    const reached: string[] = [];
    for (let presses = 0; presses < 5; presses += 1) {
      await page.keyboard.press("Tab");
      reached.push(
        String(await page.evaluate("document.activeElement.textContent || document.activeElement.ariaLabel")),
      );
    }
    expect(reached.map((name) => name.slice(0, 20))).toEqual([
      "Play",
      "Position",
      expect.stringMatching(/^0\.25×/),
      expect.stringContaining("make test"),
      expect.stringContaining("</script>"),
    ]);
  });
});
