/** Links, cookies, shares and rights, as somebody tries them who should not get in. */
import { describe, expect, test } from "vitest";
import { passwordOf } from "../../../src/web/server/sign-in/password.ts";
import { until } from "../../support/sessions.ts";
import { jsonOf, type ServedWeb, serveWeb } from "../../support/web/serve-web.ts";
import { openStream, ROUTES } from "../../support/web/visitor-routes.ts";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function signIn(web: ServedWeb, body: unknown) {
  return await web.ask("/api/sign-in", { method: "POST", body: JSON.stringify(body) });
}

describe("a link", () => {
  test("is exchanged once for a cookie that scripts and other sites do not get", async () => {
    const web = await serveWeb(ROUTES);
    const { key } = web.grants.issue({ right: "control", session: null });
    const first = await signIn(web, { key });

    expect(first.status).toBe(200);
    expect(jsonOf(first)).toEqual({ right: "control", session: null });
    expect(first.body).not.toContain(key);
    const cookie = first.headers["set-cookie"] ?? "";
    expect(cookie).toMatch(/^limpet-\d+=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/);
    expect(cookie).not.toContain(key);
    expect((await web.ask("/api/me", { headers: { Cookie: cookie.split(";")[0] ?? "" } })).status).toBe(200);

    const second = await signIn(web, { key });
    expect(second.status).toBe(401);
    expect(second.headers["set-cookie"]).toBeUndefined();
  });

  test("is used by one of many who try at once", async () => {
    const web = await serveWeb(ROUTES);
    const { key } = web.grants.issue({ right: "control", session: null });
    const statuses = await Promise.all(Array.from({ length: 10 }, async () => (await signIn(web, { key })).status));

    expect(statuses.toSorted()).toEqual([200, ...Array(9).fill(401)]);
  });

  test("does not work in the address, as a cookie or as a token", async () => {
    const web = await serveWeb(ROUTES);
    const { key } = web.grants.issue({ right: "control", session: null });
    const statuses = [
      await web.ask(`/api/me?key=${key}`),
      await web.ask("/api/me", { headers: { Cookie: `limpet-${web.port}=${key}` } }),
      await web.ask("/api/me", { headers: bearer(key) }),
    ].map(({ status }) => status);

    expect(statuses).toEqual([401, 401, 401]);
    expect((await signIn(web, { key })).status).toBe(200);
  });

  test("that is wrong too often makes others wait, and not its owner", async () => {
    const web = await serveWeb(ROUTES);
    const { key } = web.grants.issue({ right: "control", session: null });
    const tried = [];
    for (let tries = 0; tries < 12; tries += 1) tried.push((await signIn(web, { key: `wrong${tries}` })).status);

    expect(tried).toEqual([...Array(10).fill(401), 429, 429]);
    expect((await signIn(web, { key })).status).toBe(200);
  });
});

test("a password is offered where there is one", async () => {
  const web = await serveWeb(ROUTES, { password: await passwordOf("correct horse battery") });

  expect(jsonOf(await web.ask("/api/sign-in"))).toEqual({ password: true });
  expect(jsonOf(await (await serveWeb(ROUTES)).ask("/api/sign-in"))).toEqual({ password: false });
  expect((await signIn(web, { password: "wrong horse battery" })).status).toBe(401);
  expect((await signIn(web, { password: "correct horse battery" })).status).toBe(200);
});

describe("a cookie", () => {
  test("of nobody is refused, whatever it is", async () => {
    const web = await serveWeb(ROUTES);
    const cookie = web.signIn();
    const wrong = [
      "",
      "x",
      cookie.slice(0, -1),
      `${cookie}x`,
      cookie.replace(/^limpet-\d+/, "limpet-1"),
      `${cookie}; ${cookie}`,
    ];
    const statuses = await Promise.all(
      wrong.map(async (Cookie) => (await web.ask("/api/me", { headers: { Cookie } })).status),
    );

    expect(statuses).toEqual(wrong.map(() => 401));
  });

  test("ends with signing out, for all pages of it", async () => {
    const web = await serveWeb(ROUTES);
    const Cookie = web.signIn();
    const stream = openStream(web, "/api/events", { Cookie });
    await until(() => stream.text.includes("event: tick"), "the stream has started");
    const out = await web.ask("/api/sign-out", { method: "POST", headers: { Cookie } });

    expect(out.headers["set-cookie"]).toContain("Max-Age=0");
    expect((await web.ask("/api/me", { headers: { Cookie } })).status).toBe(401);
    await until(() => stream.isOver, "the stream has ended");
  });
});

describe("a share", () => {
  test("to watch reaches its session, and cannot type", async () => {
    const web = await serveWeb(ROUTES);
    const headers = { Cookie: web.signIn({ right: "view", session: "build/7", forMs: 60_000 }) };
    const statusOf = async (path: string, method = "GET") => (await web.ask(path, { method, headers })).status;

    expect(await statusOf("/api/sessions/build%2F7")).toBe(200);
    expect(await statusOf("/api/sessions/7")).toBe(403);
    expect(await statusOf("/api/sessions/build%2F8")).toBe(403);
    expect(await statusOf("/api/sessions/build%2F7/input", "POST")).toBe(403);
    expect(await statusOf("/api/me")).toBe(200);
    expect(await statusOf("/mcp", "POST")).toBe(401);
  });

  test("to control types into its session only", async () => {
    const web = await serveWeb(ROUTES);
    const headers = { Cookie: web.signIn({ right: "control", session: "7", forMs: 60_000 }) };
    const statusOf = async (id: string) =>
      (await web.ask(`/api/sessions/${id}/input`, { method: "POST", headers })).status;

    expect([await statusOf("7"), await statusOf("8"), await statusOf("07")]).toEqual([200, 403, 403]);
  });

  test("that is revoked or expires ends its streams, and nobody else's", async () => {
    const web = await serveWeb(ROUTES);
    const own = openStream(web, "/api/events", { Cookie: web.signIn() });
    const revoked = openStream(web, "/api/events", {
      Cookie: web.signIn({ right: "view", session: "7", forMs: 60_000 }),
    });
    await until(() => [own, revoked].every(({ text }) => text.includes("tick")), "the streams have started");
    const expiring = openStream(web, "/api/events", {
      Cookie: web.signIn({ right: "view", session: "7", forMs: 2_000 }),
    });
    const share = web.grants.list().find(({ kind, expiresMs }) => kind === "share" && expiresMs > Date.now() + 30_000);

    web.grants.revoke(share?.id ?? "");
    await until(() => revoked.isOver, "its stream has ended");
    await until(() => expiring.isOver, "the stream of the expired one has ended");
    expect(own.isOver).toBe(false);
  });
});
