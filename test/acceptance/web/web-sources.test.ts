/** Who is refused before anything is done for a request: other hosts, other sites, other kinds of requests. */
import { beforeEach, describe, expect, test } from "vitest";
import type { Routes } from "../../../src/web/server/route.ts";
import { type ServedWeb, serveWeb } from "../../support/web/serve-web.ts";

let served: string[];
let web: ServedWeb;
let cookie: string;
let token: string;

function routes(): Routes {
  const note = (what: string) => async () => {
    served.push(what);
    return { kind: "json", value: what } as const;
  };
  return {
    routes: [
      { method: "GET", path: "/", right: null, answer: note("page") },
      { method: "GET", path: "/assets/page.js", right: null, answer: note("file") },
      { method: "GET", path: "/api/sessions/:id", right: "view", answer: note("session") },
      { method: "POST", path: "/api/sessions/:id/input", right: "control", answer: note("input") },
      { method: "DELETE", path: "/api/sessions/:id", right: "control", answer: note("delete") },
    ],
    tokenRoutes: [
      {
        path: "/mcp",
        right: "view",
        async serve(_, response) {
          served.push("mcp");
          response.end("mcp");
        },
      },
    ],
    socketRoutes: [
      {
        path: "/live/:id",
        right: "view",
        async serve({ socket }) {
          served.push("live");
          socket.end("HTTP/1.1 101 Switching Protocols\r\n\r\n");
        },
      },
    ],
  };
}

beforeEach(async () => {
  served = [];
  web = await serveWeb(routes());
  cookie = web.signIn();
  token = web.tokens.create({ name: "laptop", scope: "control", forMs: 60_000 }).token;
});

type Headers = Readonly<Record<string, string>>;

const PATHS: readonly (readonly [method: string, path: string, headers?: Headers])[] = [
  ["GET", "/"],
  ["GET", "/assets/page.js"],
  ["GET", "/api/sessions/7"],
  ["POST", "/api/sessions/7/input"],
  ["DELETE", "/api/sessions/7"],
  ["GET", "/api/sign-in"],
  ["POST", "/api/sign-in"],
  ["POST", "/api/sign-out"],
  ["GET", "/nothing"],
  ["POST", "/mcp"],
  ["GET", "/live/7", { Connection: "Upgrade", Upgrade: "websocket", "Sec-WebSocket-Key": "x" }],
];

describe.each(PATHS.map(([method, path, headers = {}]) => ({ method, path, headers })))("$method $path", (asked) => {
  const { method, path, headers } = asked;

  test.each(["evil.test", "evil.test:PORT", "127.0.0.1", "localhost:1", "other.localhost:PORT"])(
    "refuses Host %s",
    async (given) => {
      const host = given.replace("PORT", String(web.port));
      for (const way of [{ Cookie: cookie }, { Authorization: `Bearer ${token}` }]) {
        const answer = await web.ask(path, {
          method,
          headers: { ...headers, ...way, Host: host, Origin: `http://${host}` },
        });
        expect(answer.status).toBe(403);
      }
      expect(served).toEqual([]);
    },
  );

  test.each(["http://evil.test", "null", "http://127.0.0.1:1", "https://HOST"])("refuses Origin %s", async (given) => {
    const Origin = given.replace("HOST", web.host);
    for (const way of [{ Cookie: cookie }, { Authorization: `Bearer ${token}` }])
      expect((await web.ask(path, { method, headers: { ...headers, ...way, Origin } })).status).toBe(403);
    expect(served).toEqual([]);
  });

  test.each(["cross-site", "same-site"])("refuses Sec-Fetch-Site %s", async (site) => {
    const sent = { ...headers, Cookie: cookie, Origin: web.origin, "Sec-Fetch-Site": site, "Sec-Fetch-Mode": "cors" };

    expect((await web.ask(path, { method, headers: sent })).status).toBe(403);
    expect(served).toEqual([]);
  });
});

test("all of them are served to the page itself and to a token", async () => {
  const own = { Cookie: cookie, Origin: web.origin, "Sec-Fetch-Site": "same-origin" };
  for (const [method, path, headers = {}] of PATHS.slice(0, 5))
    await web.ask(path, { method, headers: { ...headers, ...own } });
  await web.ask("/mcp", { method: "POST", headers: { Authorization: `Bearer ${token}` } });
  await web.ask("/live/7", { headers: { ...PATHS.at(-1)?.[2], ...own } });

  expect(served).toEqual(["page", "file", "session", "input", "delete", "mcp", "live"]);
});

test.each([
  ["text/plain", '{"kind":"text","text":"x"}'],
  ["application/x-www-form-urlencoded", "kind=text"],
  ["multipart/form-data; boundary=x", "--x--"],
])("a simple POST with %s is refused, from elsewhere and from here", async (type, body) => {
  const sent = (headers: Record<string, string>) =>
    web.ask("/api/sessions/7/input", {
      method: "POST",
      body,
      headers: { Cookie: cookie, "Content-Type": type, ...headers },
    });

  expect((await sent({ Origin: "http://evil.test", "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  expect((await sent({ Origin: "null" })).status).toBe(403);
  expect((await sent({})).status).toBe(415);
  expect(served).toEqual([]);
});

test("a POST with a cookie and without an origin is refused", async () => {
  const bytes = `POST /api/sessions/7/input HTTP/1.1\r\nHost: ${web.host}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`;

  expect((await web.raw(bytes)).status).toBe(403);
  expect(served).toEqual([]);
});

test.each([
  ["no Host", "GET / HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
  ["no Host in HTTP/1.0", "GET / HTTP/1.0\r\n\r\n", 403],
  ["two of them", "GET / HTTP/1.1\r\nHost: HOST\r\nHost: evil.test\r\nConnection: close\r\n\r\n", 403],
  ["a whole address", "GET http://evil.test/ HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 400],
  ["a whole address of ours", "GET http://HOST/ HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n", 400],
  ["a proxy's CONNECT", "CONNECT HOST HTTP/1.1\r\nHost: HOST\r\n\r\n", 0],
  ["OPTIONS *", "OPTIONS * HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nConnection: close\r\n\r\n", 400],
  ["TRACE", "TRACE / HTTP/1.1\r\nHost: HOST\r\nOrigin: http://HOST\r\nConnection: close\r\n\r\n", 405],
  ["another protocol", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400],
  ["a header without a name", "GET / HTTP/1.1\r\nHost: HOST\r\n: x\r\n\r\n", 400],
  ["a folded header", "GET / HTTP/1.1\r\nHost: HOST\r\n x\r\n\r\n", 400],
  [
    "length and chunks",
    "POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    400,
  ],
])("%s is refused", async (_, bytes, status) => {
  expect((await web.raw(Buffer.from(bytes.replaceAll("HOST", web.host), "latin1"))).status).toBe(status);
  expect(served).toEqual([]);
});

test("a preflight of another site is not allowed anything", async () => {
  const headers = { Origin: "http://evil.test", "Access-Control-Request-Method": "POST" };
  const answer = await web.ask("/api/sessions/7/input", { method: "OPTIONS", headers });

  expect(answer.status).toBe(403);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
});

test.each([
  "/../../../etc/passwd",
  "/assets/../../../etc/passwd",
  "/assets/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "/assets/..%5c..%5cetc",
  "/assets/page.js%00.html",
  "/%2fetc%2fpasswd",
  "//etc/passwd",
  "/assets//page.js",
  "/assets/page.js/",
])("%s is nothing", async (path) => {
  expect((await web.ask(path, { headers: { Cookie: cookie } })).status).toBe(404);
  expect(served).toEqual([]);
});

test("every answer has the headers that browsers need, also a refusal", async () => {
  const answers = [
    await web.ask("/"),
    await web.ask("/nothing"),
    await web.ask("/api/sessions/7"),
    await web.ask("/", { headers: { Host: "evil.test" } }),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 404, 401, 403]);
  for (const { headers } of answers) {
    expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    expect(headers["content-security-policy"]).not.toContain("unsafe-eval");
    expect(headers).toMatchObject({
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
    });
  }
});

test("a page may load its own files only, and run nothing inline", async () => {
  const html = await serveWeb({
    routes: [
      {
        method: "GET",
        path: "/",
        right: null,
        answer: async () => ({ kind: "bytes", type: "text/html; charset=utf-8", bytes: "<p>" }),
      },
    ],
  });

  expect((await html.ask("/")).headers["content-security-policy"]).toBe(
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
});
