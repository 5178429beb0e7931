/** What the page does when its connection is slow, or its server, its host or its sessions go, in a real browser. */
import { once } from "node:events";
import { chmodSync } from "node:fs";
import { afterAll, beforeAll, describe, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/end-hosts.ts";
import { needs } from "../../support/needs.ts";
import { shownText } from "../../support/web/shown-text.ts";
import { soon } from "../../support/web/soon.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

const PLAIN = { login: false, shell: "/bin/sh" };

describe.skipIf(!needs("chromium"))("a page with a bad connection", { timeout: 180_000 }, () => {
  let web: WebUnderTest;
  beforeAll(async () => {
    web = await openWeb();
  }, 120_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  test("control that is taken before the terminal has loaded holds when it has", async () => {
    const { id } = await startSession(web.cli.sessions, { ...PLAIN, command: "cat" }, "codex");
    const { page } = await web.open();
    const loading = new AbortController();
    await page.route(/open-terminal/, async (route) => {
      if (!loading.signal.aborted) await once(loading.signal, "abort");
      await route.continue();
    });
    await page.evaluate(`location.hash = "#/session/${id}"`);
    await page.getByRole("button", { name: "Take over…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take over", exact: true }).click();
    await page.getByRole("button", { name: "Up", exact: true }).waitFor();

    loading.abort();

    await soon(() => page.evaluate("document.activeElement.className")).toContain("xterm-helper-textarea");
    await page.keyboard.type("typed by a person\n");
    await soon(() => shownText(page.locator(".xterm-rows"))).toMatch(/typed by a person\s+typed by a person/);
    await web.cli.sessions.close(id, { force: true });
  });

  test("after the host was killed it shows what was lost, and the sessions of the next one by itself", async () => {
    await startSession(web.cli.sessions, { ...PLAIN, command: "sleep 600", name: "first" }, "codex");
    const { page } = await web.open();
    await page.getByRole("link", { name: "first" }).waitFor();

    endProcess(await web.cli.hostPid());
    await page.getByRole("link", { name: /first.*lost with its host/ }).waitFor();
    const { id } = await startSession(web.cli.sessions, { ...PLAIN, command: "sleep 600", name: "second" }, "codex");

    await page.getByRole("link", { name: "second" }).waitFor();
    await soon(() => page.locator(".banner").count()).toBe(0);
    await web.cli.sessions.close(id, { force: true });
  });

  test("a host that cannot be reached is named with its reason, until it can", async () => {
    const { page } = await web.open();
    const state = web.cli.env["LIMPET_HOME"] ?? "";
    await page.getByRole("heading", { name: "Sessions" }).waitFor();

    const pid = await web.cli.hostPid();
    // Whoever could write there could pretend to be the host.
    chmodSync(state, 0o777);
    endProcess(pid);

    await page.getByText(/The host does not answer: .*The page tries again by itself/).waitFor();
    chmodSync(state, 0o700);
    await soon(() => page.locator(".banner").count()).toBe(0);
  });

  test("after the web server was killed it says so, and does not pretend that old pictures are live", async () => {
    const { page } = await web.open();
    const { pid } = (await web.cli.json("web", "status")) as { readonly pid: number };

    endProcess(pid);

    await page.getByText("The connection to limpet is lost.").waitFor();
  });
});
