/** Signing in to the page by a link, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { seriousFindings } from "../../support/web/axe.ts";
import { openPageIn } from "../../support/web/browser.ts";
import { shownText } from "../../support/web/shown-text.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

describe.skipIf(!needs("chromium"))("signing in by a link", { timeout: 120_000 }, () => {
  let web: WebUnderTest;
  beforeAll(async () => {
    web = await openWeb();
  }, 120_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  test("the key leaves the address and its history at once, and the cookie stays", async () => {
    const { page, problems } = await openPageIn(web.browser);
    const link = await web.link();

    await page.goto(link);
    await page.getByRole("navigation", { name: "Views" }).waitFor();

    expect(new URL(page.url()).hash).not.toContain("key");
    expect(await page.evaluate("history.length")).toBe(2);
    expect(await page.evaluate("document.cookie + JSON.stringify({ ...localStorage, ...sessionStorage })")).toBe("{}");
    await page.reload();
    await page.getByRole("navigation", { name: "Views" }).waitFor();
    expect(problems).toEqual([]);
  });

  test("a link that was used is refused in another browser, with words that say what to do", async () => {
    const link = await web.link();
    const first = await openPageIn(web.browser);
    await first.page.goto(link);
    await first.page.getByRole("navigation", { name: "Views" }).waitFor();

    const second = await openPageIn(web.browser);
    await second.page.goto(link);

    await second.page.getByRole("heading", { name: "This link was used already" }).waitFor();
    expect(await shownText(second.page.getByRole("main"))).toContain("Run limpet web on the machine of the sessions");
    expect(new URL(second.page.url()).hash).not.toContain("key");
    expect(await seriousFindings(second.page)).toEqual([]);
    expect(await second.page.getByRole("list", { name: "Sessions" }).count()).toBe(0);
  });

  test("a browser without a link sees no session", async () => {
    const { page, asked } = await openPageIn(web.browser);
    await page.goto(new URL(await web.link()).origin);

    await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
    expect(asked.filter((url) => url.includes("/api/events"))).toEqual([]);
  });

  test("after signing out, the same browser sees no session any more", async () => {
    const { page } = await web.open();

    await page.keyboard.press("?");
    await page.getByRole("button", { name: "Sign out" }).click();

    await page.getByRole("heading", { name: "You are not signed in" }).waitFor();
  });

  test("no request leaves the machine, and the policy of the page refuses none of its own", async () => {
    const { page, asked, problems } = await web.open();
    await page.getByRole("heading", { name: "Sessions" }).waitFor();
    const { origin } = new URL(page.url());

    expect(asked.map((url) => new URL(url).origin).filter((other) => other !== origin)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
