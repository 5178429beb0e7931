/** What the page does when its server, its host or its sessions go, in a real browser. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { endProcess } from "../../support/host/host.ts";
import { needs } from "../../support/needs.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

const PLAIN = { login: false, shell: "/bin/sh" };

describe.skipIf(!needs("chromium"))("a page that loses its connection", { timeout: 180_000 }, () => {
  let web: WebUnderTest;
  beforeAll(async () => {
    web = await openWeb();
  }, 120_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  test("after the host was killed it says so, and shows the sessions of the next one by itself", async () => {
    await startSession(web.cli.sessions, { ...PLAIN, command: "sleep 600", name: "first" }, "codex");
    const { page } = await web.open();
    await page.getByRole("link", { name: "first" }).waitFor();

    endProcess(await web.cli.hostPid());
    await page.getByText("The host does not answer").waitFor();
    const { id } = await startSession(web.cli.sessions, { ...PLAIN, command: "sleep 600", name: "second" }, "codex");

    await page.getByRole("link", { name: "second" }).waitFor();
    await expect.poll(() => page.getByText("The host does not answer").count()).toBe(0);
    await web.cli.sessions.close(id, { force: true });
  });

  test("without a network it says so, and continues where it was when the network is back", async () => {
    const command = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); echo line-$i; sleep 0.1; done";
    const { id } = await startSession(web.cli.sessions, { ...PLAIN, command }, "codex");
    const { page } = await web.open({ view: `#/session/${id}` });
    const lines = async () => (await page.locator(".xterm-rows").innerText()).match(/line-\d+/g) ?? [];
    await expect.poll(async () => (await lines()).length).toBeGreaterThan(2);

    await page.context().setOffline(true);
    const cut = await page.context().newCDPSession(page);
    await cut.send("Network.enable");
    await page.reload().catch(() => undefined);
    await page.context().setOffline(false);
    await page.reload();

    await expect.poll(async () => (await lines()).length).toBeGreaterThan(2);
    await web.cli.sessions.close(id, { force: true });
  });
});
