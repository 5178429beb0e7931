/** The sessions of two hosts of a fleet in one page, in a real browser, through a real NATS server. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { FleetDoor } from "../../../src/fleet/door/fleet-door.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { type FleetHostProcess, startFleetHost } from "../../support/fleet/fleet-host.ts";
import { allUp } from "../../support/fleet/ledger.ts";
import { type NatsServer, startNats } from "../../support/fleet/nats-server.ts";
import { needs } from "../../support/needs.ts";
import { seriousFindings } from "../../support/web/axe.ts";
import { shownText } from "../../support/web/shown-text.ts";
import { soon } from "../../support/web/soon.ts";
import { openWeb, type WebUnderTest } from "../../support/web/web-under-test.ts";

const canRun = needs("chromium") && needs("nats-server");

describe.skipIf(!canRun)("the page of a fleet", { timeout: 180_000 }, () => {
  let nats: NatsServer;
  let hosts: readonly FleetHostProcess[] = [];
  let door: FleetDoor;
  let web: WebUnderTest;
  beforeAll(async () => {
    nats = await startNats();
    hosts = ["gpu-1", "cpu-1"].map((name) => startFleetHost({ url: nats.url, name }));
    door = new FleetDoor({ access: { url: nats.url } });
    await allUp(door, ["gpu-1", "cpu-1"], 120_000);
    web = await openWeb(["--fleet", "--nats", nats.url]);
  }, 180_000);
  afterAll(async () => {
    await web?.[Symbol.asyncDispose]();
    await door?.close();
    await Promise.all(hosts.map((host) => host.close()));
    await nats?.close();
  });

  /** Runs until the test ends. Returns the address, such as `gpu-1/7`. */
  const start = async (host: string, command: string) => {
    const { id } = await startSession(door.clientOf(host), { command, shell: "/bin/sh" }, "codex");
    onTestFinished(async () => void (await door.clientOf(host).close(id, { force: true })));
    return `${host}/${id}`;
  };
  const screen = (page: Page) => shownText(page.locator(".xterm-rows"));
  const tiles = (page: Page) => page.getByRole("list", { name: "Sessions" }).getByRole("listitem");

  test("shows the sessions of both hosts by their addresses, and a person watches one and types into it", async () => {
    const [one, other] = [await start("gpu-1", "echo from the gpu; cat"), await start("cpu-1", "cat")];
    const { page, problems } = await web.open();

    await page.getByRole("link", { name: other }).waitFor();
    await page.getByRole("link", { name: one }).click();
    await soon(() => screen(page)).toContain("from the gpu");
    await page.getByRole("button", { name: "Take over…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take over", exact: true }).click();
    await soon(() => page.evaluate("document.activeElement.className")).toContain("xterm-helper-textarea");
    await page.keyboard.type("typed far away\n");
    await soon(() => screen(page)).toMatch(/typed far away\s+typed far away/);

    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("a host that was killed is unreachable, and its session is lost when it has started again", async () => {
    const [one, other] = [await start("gpu-1", "cat"), await start("cpu-1", "cat")];
    const { page, problems } = await web.open();
    const silent = page.getByRole("list", { name: "Places that do not answer" });
    await page.getByRole("link", { name: other }).waitFor();

    await hosts[1]?.kill();
    await soon(() => shownText(silent)).toMatch(/cpu-1 does not answer: unreachable: .* may still run/);
    await soon(() => page.getByRole("link", { name: other }).count()).toBe(0);
    const stillThere = await page.getByRole("link", { name: one }).count();
    hosts[1]?.start();
    await soon(() => silent.count()).toBe(0);
    await soon(() => shownText(tiles(page).filter({ hasText: other }))).toContain("lost");

    expect(stillThere).toBe(1);
    expect(await seriousFindings(page)).toEqual([]);
    expect(problems).toEqual([]);
  });
});
