/** Links, cookies, shares, rights and tokens, as somebody tries them who should not get in. */
import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Right, Routes, Visitor } from "../../../src/web/server/route.ts";
import { passwordOf } from "../../../src/web/server/sign-in/password.ts";
import { until } from "../../support/sessions.ts";
import { jsonOf, type ServedWeb, serveWeb } from "../../support/web/serve-web.ts";

const say = async ({ visitor }: { readonly visitor: Visitor }) => ({ kind: "json", value: visitor }) as const;

const ROUTES: Routes = {
  routes: [
    { method: "GET", path: "/api/me", right: "view", isForShared: true, answer: say },
    { method: "GET", path: "/api/sessions/:id", right: "view", answer: say },
    { method: "POST", path: "/api/sessions/:id/input", right: "control", answer: say },
    { method: "POST", path: "/api/sessions/:id/prompt", right: "control", isForPeople: true, answer: say },
    {
      method: "GET",
      path: "/api/events",
      right: "view",
      isForShared: true,
      answer: async ({ signal }) => ({ kind: "events", events: ticking(signal) }),
    },
  ],
  tokenRoutes: [
    {
      path: "/mcp",
      right: "view",
      async serve(_, response, visitor) {
        response.write(JSON.stringify(visitor));
        if (_.method === "POST") response.end();
      },
    },
  ],
};

async function* ticking(signal: AbortSignal) {
  yield { event: "tick", data: 0 };
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

async function signIn(web: ServedWeb, body: unknown) {
  return await web.ask("/api/sign-in", { method: "POST", body: JSON.stringify(body) });
}

/** A request whose answer goes on: what arrived of it, and whether it has ended. */
function openStream(web: ServedWeb, path: string, headers: Record<string, string>) {
  const state = { text: "", isOver: false };
  const asked = request(
    { host: "127.0.0.1", port: web.port, path, headers: { Host: web.host, ...headers } },
    (answer) => {
      answer.on("data", (chunk) => {
        state.text += chunk;
      });
      answer.on("close", () => {
        state.isOver = true;
      });
      answer.on("error", () => undefined);
    },
  );
  asked.on("error", () => undefined);
  asked.end();
  onTestFinished(() => void asked.destroy());
  return state;
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

describe("a token", () => {
  const create = (web: ServedWeb, scope: Right = "control", forMs = 60_000) =>
    web.tokens.create({ name: "laptop", scope, forMs }).token;

  test("is an agent under its own name", async () => {
    const web = await serveWeb(ROUTES);
    const visitor = { caller: "laptop", right: "control", isPerson: false, session: null };
    const headers = bearer(create(web));

    expect(jsonOf(await web.ask("/api/me", { headers }))).toEqual(visitor);
    expect((await web.ask("/mcp", { method: "POST", headers })).body).toContain('"caller":"laptop"');
    expect((await web.ask("/api/sessions/7/input", { method: "POST", headers })).status).toBe(200);
    expect((await web.ask("/api/sessions/7/prompt", { method: "POST", headers })).status).toBe(403);
  });

  test("to view cannot type", async () => {
    const web = await serveWeb(ROUTES);
    const headers = bearer(create(web, "view"));

    expect((await web.ask("/api/sessions/7", { headers })).status).toBe(200);
    expect((await web.ask("/api/sessions/7/input", { method: "POST", headers })).status).toBe(403);
  });

  test("that is not valid is refused everywhere, also beside a valid cookie", async () => {
    const web = await serveWeb(ROUTES);
    const other = await serveWeb(ROUTES);
    const token = create(web);
    const expired = web.tokens.create({ name: "short", scope: "control", forMs: 1 }).token;
    await until(() => web.tokens.list().length === 1, "a token has expired");
    const wrong: (string | readonly string[])[] = [
      "",
      "Bearer",
      "Bearer ",
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}x`,
      `Bearer ${token} `.padEnd(80, "x"),
      `Bearer ${token},${token}`,
      [`Bearer ${token}`, `Bearer ${token}`],
      [`Bearer ${token}`, "Bearer x"],
      `Basic ${Buffer.from(`laptop:${token}`).toString("base64")}`,
      token,
      `Bearer ${create(other)}`,
      `Bearer ${expired}`,
      `Bearer ${"x".repeat(8_000)}`,
    ];
    for (const [path, method] of [
      ["/api/me", "GET"],
      ["/mcp", "POST"],
    ] as const) {
      for (const Authorization of wrong) {
        const answer = await web.ask(path, { method, headers: { Authorization, Cookie: web.signIn() } });
        expect([answer.status, Authorization]).toEqual([401, Authorization]);
        expect(answer.headers["www-authenticate"]).toContain("Bearer");
        expect(answer.body).not.toContain(token.slice(7));
      }
    }
  });

  test("in an address or a cookie is nothing", async () => {
    const web = await serveWeb(ROUTES);
    const token = create(web);

    expect((await web.ask(`/api/me?access_token=${token}`)).status).toBe(401);
    expect((await web.ask("/api/me", { headers: { Cookie: `limpet-${web.port}=${token}` } })).status).toBe(401);
    expect((await web.ask("/mcp", { method: "POST", headers: { Cookie: web.signIn() } })).status).toBe(401);
  });

  test("that is revoked ends what uses it, streams of MCP too", async () => {
    const web = await serveWeb(ROUTES);
    const token = create(web);
    const kept = web.tokens.create({ name: "other", scope: "view", forMs: 60_000 }).token;
    const streams = ["/api/events", "/mcp"].map((path) => openStream(web, path, bearer(token)));
    const other = openStream(web, "/mcp", bearer(kept));
    await until(() => [...streams, other].every(({ text }) => text !== ""), "the streams have started");

    web.tokens.revoke("laptop");
    expect((await web.ask("/api/me", { headers: bearer(token) })).status).toBe(401);
    await until(() => streams.every(({ isOver }) => isOver), "its streams have ended");
    expect(other.isOver).toBe(false);
  });
});
