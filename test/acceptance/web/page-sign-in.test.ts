/** Signing in to the page, by a link or a password, in a real browser. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runCommand } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { seriousFindings } from "../../support/web/axe.ts";
import { openPageIn } from "../../support/web/browser.ts";
import { shownText } from "../../support/web/shown-text.ts";
import { soon } from "../../support/web/soon.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

describe.skipIf(!needs("chromium"))("signing in", { timeout: 120_000 }, () => {
  let web: WebUnderTest;
  beforeAll(async () => {
    web = await openWeb();
  }, 120_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  const run = (command: string, shell: string) =>
    runCommand(web.cli.sessions, { command, shell, fresh: { shell: "/bin/bash" }, caller: "codex" });

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

  test("a shared link shows its one session, and nothing to control it with", async () => {
    const { id } = await run("echo for-somebody-else", "shared");
    const other = await run("echo not-for-them", "private");
    const { link } = (await web.cli.json("web", "share", String(id), "--view")) as { readonly link: string };
    const { page, problems } = await openPageIn(web.browser);

    await page.goto(link);

    await soon(() => shownText(page.locator(".xterm-rows"))).toContain("for-somebody-else");
    await page.getByText("You can watch, not type.").waitFor();
    expect(await page.getByRole("button", { name: "Take over…" }).count()).toBe(0);
    expect(await page.getByRole("navigation", { name: "Views" }).count()).toBe(0);
    await page.evaluate(`location.hash = "#/session/${other.id}"`);
    await page.keyboard.press("a");
    await soon(() => page.evaluate("location.hash")).toBe("#/approvals");
    await page.getByRole("heading", { name: "shared" }).waitFor();
    expect(await page.getByText("not-for-them").count()).toBe(0);
    expect(problems).toEqual([]);
  });

  test.skipIf(!needs("openssl"))("a password signs in to a server for other machines", async () => {
    const file = (name: string) => join(web.cli.folder, name);
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", file("key.pem")];
    const made = ["req", "-x509", ...key, "-out", file("cert.pem"), "-days", "2", "-subj", "/CN=127.0.0.1"];
    execFileSync("openssl", made, { stdio: "ignore" });
    writeFileSync(file("password"), "correct horse battery\n", { mode: 0o600 });
    const tls = ["--tls-cert", file("cert.pem"), "--tls-key", file("key.pem")];
    await web.cli.limpet(["web", "stop"]);
    const flags = ["--host", "127.0.0.1", ...tls, "--password-file", file("password")];
    const { base } = (await web.cli.json("web", ...flags)) as { readonly base: string };
    const { page } = await openPageIn(web.browser, { ignoreHTTPSErrors: true });
    await page.goto(base);
    const box = page.getByLabel("Or sign in with the password of this server");

    await box.fill("wrong horse battery");
    await page.getByRole("button", { name: "Sign in" }).click();
    await soon(() => shownText(page.getByRole("alert"))).not.toBe("");
    expect(await seriousFindings(page)).toEqual([]);
    expect(await box.inputValue()).toBe("");
    await box.fill("correct horse battery");
    await page.keyboard.press("Enter");

    await page.getByRole("navigation", { name: "Views" }).waitFor();
    const doctor = (await web.cli.json("doctor")) as { readonly findings: readonly { readonly check: string }[] };
    expect(doctor.findings.find(({ check }) => check === "web")).toMatchObject({
      verdict: "warn",
      meaning: expect.stringContaining("certificate is valid for 1 more days"),
    });
  });
});
