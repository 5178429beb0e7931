/** All sessions as tiles, in a real browser, with real programs. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { seriousFindings } from "../../support/web/axe.ts";
import { shownText } from "../../support/web/shown-text.ts";
import { soon } from "../../support/web/soon.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

const PLAIN = { login: false, shell: "/bin/sh" };
/** What nobody should see run. */
const HOSTILE = "</script><img src=x onerror=document.title='run'>";

/** Changes the search and the filter before the page is drawn again. */
const CHANGE_BOTH = `() => {
  const change = (selector, value, event) => {
    const element = document.querySelector(selector);
    element.value = value;
    element.dispatchEvent(new Event(event, { bubbles: true }));
  };
  change("#search", "", "input");
  change("search select", "waiting", "change");
}`;

describe.skipIf(!needs("chromium"))("the page with all sessions", { timeout: 180_000 }, () => {
  let web: WebUnderTest;
  beforeAll(async () => {
    web = await openWeb();
  }, 120_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  /** Runs until the test ends. */
  const start = async (command: string, name: string) => {
    const { id } = await startSession(web.cli.sessions, { ...PLAIN, command, name, cwd: web.cli.folder }, "codex");
    onTestFinished(async () => void (await web.cli.sessions.close(id, { force: true })));
  };

  test("what waits for a person comes first, and a search finds any word of a tile", async () => {
    await start("sleep 600", "quiet");
    await start('stty -echo; printf "Password: "; read -r p', "login");
    await start("sleep 601", "other");
    const { page, problems } = await web.open();
    const tiles = page.getByRole("list", { name: "Sessions" }).getByRole("listitem");

    await page.getByText("waits for a password").first().waitFor();
    await soon(() => tiles.count()).toBe(3);
    await soon(() => shownText(tiles.first())).toContain("login");
    expect(await shownText(tiles.first())).toContain("codex");
    await page.keyboard.press("/");
    await page.keyboard.type("sleep 601");
    await soon(() => tiles.allInnerTexts()).toEqual([expect.stringContaining("other")]);
    await page.evaluate(`(${CHANGE_BOTH})()`);
    await soon(() => tiles.allInnerTexts()).toEqual([expect.stringContaining("login")]);
    await page.getByRole("combobox").selectOption("all");
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("the arrow keys reach every tile, and Enter opens it", async () => {
    await start("sleep 600", "one");
    await start("sleep 600", "two");
    const { page } = await web.open();
    await page.getByRole("link", { name: "two" }).waitFor();

    await page.keyboard.press("ArrowDown");
    const first = await page.evaluate("document.activeElement.textContent");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    expect(first).toContain("two");
    await page.getByRole("heading", { name: "one" }).waitFor();
    await page.keyboard.press("s");
    await page.getByRole("link", { name: "two" }).waitFor();
  });

  test("20 tiles show what their programs print, and only pictures that can be seen are loaded", async () => {
    const counting = "i=0; while sleep 0.2; do i=$((i+1)); printf '\\r%s' $i; done";
    await Promise.all(Array.from({ length: 20 }, (_, index) => start(counting, `count-${index}`)));
    const { page, asked, problems } = await web.open({ height: 500 });
    const pictures = () => asked.filter((url) => url.includes("/picture"));
    const keysOf = (urls: readonly string[]) => new Set(urls.map((url) => new URL(url).pathname));

    await soon(() => page.getByRole("listitem").count()).toBe(20);
    await soon(() => keysOf(pictures()).size).toBeGreaterThanOrEqual(3);
    const seen = keysOf(pictures()).size;
    await soon(() => pictures().length).toBeGreaterThan(seen * 2);
    expect(keysOf(pictures()).size).toBeLessThan(20);
    await page.evaluate("scrollTo(0, document.body.scrollHeight)");
    await soon(() => keysOf(pictures()).size).toBeGreaterThan(seen);
    await soon(() => page.evaluate("[...document.images].some((image) => image.naturalWidth > 0)")).toBe(true);
    expect(problems).toEqual([]);
  });

  test("in light colours everything can be read, also the picture of a full-screen program", async () => {
    await start("printf '\\033[?1049h\\033[2;3Hat-the-top'; sleep 600", "full");
    const { page, problems } = await web.open({ colorScheme: "light" });
    const picture = page.getByRole("listitem").locator("img");
    await soon(() => picture.evaluate((image) => Reflect.get(image, "naturalWidth"))).toBeGreaterThan(0);
    const drawn = async () =>
      String(await page.evaluate("fetch(document.images[0].src).then((answer) => answer.text())"));

    // The first picture may be that of a program that has not drawn yet.
    await soon(drawn).toContain("at-the-top");
    expect(Number(/width="(\d+)/.exec(await drawn())?.[1])).toBeLessThan(700);
    expect(await seriousFindings(page)).toEqual([]);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toMatch(
      /^rgb\((2[345]\d(, )?){3}\)$/,
    );
    await page.getByRole("link", { name: "full" }).click();
    await soon(() => shownText(page.locator(".xterm-rows"))).toContain("at-the-top");
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("names, commands and output that look like HTML or reverse the text are shown as text", async () => {
    await start(`printf '\\033]0;%s\\007%s' "${HOSTILE}" "${HOSTILE}"; sleep 600 # \u202e${HOSTILE}`, "odd");
    const { page, problems } = await web.open();

    await page.getByRole("link", { name: "odd" }).waitFor();
    const text = await shownText(page.getByRole("listitem"));
    expect(text).toContain("\\u202e</script><img src=x");
    expect(await page.locator('img:not([src^="/api/sessions/"])').count()).toBe(0);
    await page.getByRole("link", { name: "odd" }).click();
    await soon(() => shownText(page.locator(".xterm-rows"))).toContain("</script><img");
    expect(await page.title()).not.toContain("run");
    expect(await page.locator("img").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test("fits a phone of 360 pixels", async () => {
    await start("sleep 600", "a-rather-long-name-for-a-session-on-a-small-screen");
    const { page } = await web.open({ width: 360, height: 640, hasTouch: true, isMobile: true });
    const overflow = () => page.evaluate("document.documentElement.scrollWidth - innerWidth");

    await page.getByRole("link", { name: "a-rather-long-name" }).waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
    expect(await seriousFindings(page)).toEqual([]);
    await page.getByRole("link", { name: "a-rather-long-name" }).tap();
    await page.locator(".xterm-rows").waitFor();
    expect(await overflow()).toBeLessThanOrEqual(0);
  });
});
