/** What a real browser lets other pages do to the web server: DNS rebinding, requests across sites, cookies. */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BrowserContext, chromium } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Routes } from "../../../src/web/server/route.ts";
import { needs } from "../../support/needs.ts";
import { until } from "../../support/sessions.ts";
import { NAME, type ServedWeb, startWeb } from "../../support/web/serve-web.ts";

const START_MS = 60_000;
/** Names that a hostile page owns lead to this machine. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
  "--host-resolver-rules=MAP evil.test 127.0.0.1, MAP *.evil.test 127.0.0.1",
  // Newer browsers ask people first. Ours must hold with those that do not.
  "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights",
];
const HTML = "text/html; charset=utf-8";

/** Tries everything that a page can do without asking; resolves with what it could read of the answers. */
const ATTACK = `async (target) => {
  const read = [];
  const tryTo = async (what) => { try { read.push(await what()); } catch (error) { read.push("failed"); } };
  const text = async (answer) => answer.type + " " + answer.status + " " + (await answer.text());
  await tryTo(async () => text(await fetch(target + "/api/me")));
  await tryTo(async () => text(await fetch(target + "/api/me", { credentials: "include" })));
  await tryTo(async () => text(await fetch(target + "/api/me", { mode: "no-cors", credentials: "include" })));
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json"])
    await tryTo(async () => text(await fetch(target + "/api/type", {
      method: "POST", mode: type === "application/json" ? "cors" : "no-cors", credentials: "include",
      headers: { "Content-Type": type }, body: '{"a":1}' })));
  await tryTo(async () => String(navigator.sendBeacon(target + "/api/type", new Blob(["{}"], { type: "text/plain" }))));
  const element = (name, fields) => new Promise((resolve) => {
    const made = Object.assign(document.createElement(name), fields);
    made.onload = () => resolve(name + " loaded");
    made.onerror = () => resolve("failed");
    document.body.append(made);
  });
  await tryTo(() => element("img", { src: target + "/picture.svg" }));
  await tryTo(() => element("script", { src: target + "/page.js" }));
  await tryTo(() => element("link", { rel: "stylesheet", href: target + "/page.css" }));
  await tryTo(async () => {
    await element("iframe", { src: target + "/", name: "inner" });
    const frame = document.querySelector("iframe");
    try { return frame.contentDocument.body.innerText; } catch { return "failed"; }
  });
  await tryTo(async () => {
    const form = Object.assign(document.createElement("form"), { method: "post", action: target + "/api/type", target: "inner" });
    form.enctype = "text/plain";
    form.append(Object.assign(document.createElement("input"), { name: '{"a":"', value: '"}' }));
    document.body.append(form);
    form.submit();
    return "sent";
  });
  await tryTo(() => new Promise((resolve) => {
    const stream = new EventSource(target + "/api/events", { withCredentials: true });
    stream.onmessage = stream.onopen = () => resolve("opened");
    stream.onerror = () => { stream.close(); resolve("failed"); };
  }));
  await tryTo(() => new Promise((resolve) => {
    const socket = new WebSocket(target.replace("http", "ws") + "/live/7");
    socket.onopen = () => resolve("opened");
    socket.onerror = () => resolve("failed");
  }));
  return read;
}`;

describe.skipIf(!needs("chromium"))("in a browser", { timeout: 120_000 }, () => {
  let context: BrowserContext;
  let folder: string;
  let attacker: Server;
  let attackerPort: number;
  /** What the attacker's server was sent. */
  let caught: IncomingMessage[];
  let served: string[];
  let web: ServedWeb;

  beforeAll(async () => {
    caught = [];
    served = [];
    attacker = createServer((request, response) => {
      caught.push(request);
      response.setHeader("Content-Type", HTML);
      response.end("<!doctype html><body>evil");
    });
    await new Promise<void>((resolve) => attacker.listen(0, "127.0.0.1", resolve));
    attackerPort = (attacker.address() as AddressInfo).port;
    folder = mkdtempSync(join(tmpdir(), "limpet-test-"));
    const env = { ...process.env, TMPDIR: folder };
    const browser = await chromium.launch({
      executablePath: "/usr/bin/chromium",
      args: FLAGS,
      timeout: START_MS,
      env,
    });
    context = await browser.newContext();
    context.setDefaultTimeout(START_MS);
    web = await startWeb(routes());
    await signIn(NAME);
    await signIn("127.0.0.1");
    expect(served.filter((what) => what === "me")).toHaveLength(2);
  }, 2 * START_MS);

  afterAll(async () => {
    await context?.browser()?.close();
    await web?.server.close();
    attacker?.closeAllConnections();
    attacker?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  beforeEach(() => {
    caught = [];
    served = [];
  });

  /** The person signs in with this browser. */
  async function signIn(host: string): Promise<void> {
    const page = await context.newPage();
    await page.goto(`http://${host}:${web.port}/`);
    const { key } = web.grants.issue({ right: "control", session: null });
    const body = JSON.stringify(JSON.stringify({ key }));
    const sent = `{ method: "POST", headers: { "Content-Type": "application/json" }, body: ${body} }`;
    expect(await page.evaluate(`fetch("/api/sign-in", ${sent}).then(({ status }) => status)`)).toBe(200);
    expect(await page.evaluate('fetch("/api/me").then(({ status }) => status)')).toBe(200);
    expect(await page.evaluate("document.cookie")).toBe("");
    await page.close();
  }

  function routes(): Routes {
    const note = (what: string, type: string, bytes: string) => async () => {
      served.push(what);
      return { kind: "bytes", type, bytes } as const;
    };
    return {
      routes: [
        { method: "GET", path: "/", right: null, answer: note("page", HTML, "<!doctype html><body>limpet") },
        { method: "GET", path: "/page.js", right: null, answer: note("script", "text/javascript", "1") },
        { method: "GET", path: "/page.css", right: null, answer: note("style", "text/css", "a{}") },
        {
          method: "GET",
          path: "/picture.svg",
          right: "view",
          answer: note("picture", "image/svg+xml", '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
        },
        { method: "GET", path: "/api/me", right: "view", answer: note("me", "application/json", '"secret"') },
        { method: "POST", path: "/api/type", right: "control", answer: note("typed", "application/json", "1") },
        {
          method: "GET",
          path: "/api/events",
          right: "view",
          answer: async ({ signal }) => {
            served.push("events");
            return { kind: "events", events: silent(signal) };
          },
        },
      ],
      socketRoutes: [
        {
          path: "/live/:id",
          right: "view",
          async serve({ socket }) {
            served.push("live");
            socket.destroy();
          },
        },
      ],
    };
  }

  async function* silent(signal: AbortSignal): AsyncGenerator<never> {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
  }

  const attack = async (from: string, target: string): Promise<readonly string[]> => {
    const page = await context.newPage();
    try {
      await page.goto(from);
      return (await page.evaluate(`(${ATTACK})(${JSON.stringify(target)})`)) as string[];
    } finally {
      await page.close();
    }
  };

  test("DNS rebinding: a page whose own name leads here reads nothing, although it is the same origin to the browser", async () => {
    const own = `http://evil.test:${web.port}`;
    // Its first answer came from elsewhere, before its name led here.
    await context.route(`${own}/begin`, (route) =>
      route.fulfill({ contentType: HTML, body: "<!doctype html><body>evil" }),
    );
    const read = await attack(`${own}/begin`, own);
    await context.unroute(`${own}/begin`);

    expect(served).toEqual([]);
    expect(read.filter((text) => /secret|limpet$|opened|loaded/.test(text) && !text.startsWith("iframe"))).toEqual([]);
    expect(read[0]).toMatch(/^basic 403 .*NOT_ALLOWED/);
  });

  test("DNS rebinding: the page itself is refused under another name", async () => {
    const page = await context.newPage();
    const answer = await page.goto(`http://evil.test:${web.port}/`);

    expect(answer?.status()).toBe(403);
    expect(served).toEqual([]);
    await page.close();
  });

  test.each([
    ["evil.test", NAME],
    ["evil.test", "127.0.0.1"],
    ["127.0.0.1", "127.0.0.1"],
    ["localhost", NAME],
  ])("a page of %s on another port reads nothing of %s and changes nothing", async (site, host) => {
    const read = await attack(`http://${site}:${attackerPort}/`, `http://${host}:${web.port}`);

    expect(read.filter((text) => /secret|opened|loaded|limpet/.test(text))).toEqual([]);
    expect(served).toEqual([]);
  });

  test("a click on a link of another site opens the page, signed in as before", async () => {
    const page = await context.newPage();
    await page.goto(`http://evil.test:${attackerPort}/`);
    await page.evaluate(`location.href = "http://${NAME}:${web.port}/#key=x"`);
    await page.getByText("limpet").waitFor();

    expect(await page.evaluate('fetch("/api/me").then(({ status }) => status)')).toBe(200);
    await page.close();
  });

  test("servers on other ports of this machine do not get the cookie of a link", async () => {
    await context.clearCookies({ domain: "127.0.0.1" });
    const page = await context.newPage();
    for (const host of ["127.0.0.1", "localhost", "other.localhost"])
      await page.goto(`http://${host}:${attackerPort}/`);
    await until(() => caught.length >= 3, "all pages were asked for");

    expect(caught.map(({ headers }) => headers.cookie ?? "").filter((cookie) => cookie.includes("limpet"))).toEqual([]);
    await page.close();
  });
});
