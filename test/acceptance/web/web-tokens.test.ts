/** Tokens of agents, as somebody tries them who should not get in. */
import { describe, expect, test } from "vitest";
import type { Right } from "../../../src/web/server/route.ts";
import { until } from "../../support/sessions.ts";
import { jsonOf, type ServedWeb, serveWeb } from "../../support/web/serve-web.ts";
import { openStream, ROUTES } from "../../support/web/visitor-routes.ts";

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

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
