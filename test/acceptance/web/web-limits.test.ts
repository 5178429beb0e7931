/** Requests that are too large, too slow, too deep or too many. */
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import type { Routes } from "../../../src/web/server/route.ts";
import { until } from "../../support/sessions.ts";
import { jsonOf, type ServedWeb, serveWeb } from "../../support/web/serve-web.ts";

const MEGABYTE = 1024 * 1024;

const ECHO: Routes = {
  routes: [
    { method: "GET", path: "/", right: null, answer: async () => ({ kind: "json", value: "page" }) },
    {
      method: "POST",
      path: "/echo",
      right: "control",
      answer: async ({ body }) => ({ kind: "json", value: { got: body ?? null, isAdmin: "admin" in Object(body) } }),
    },
  ],
};

async function echo(web: ServedWeb, body: string | Buffer, headers: Record<string, string> = {}) {
  return await web.ask("/echo", { method: "POST", body, headers: { Cookie: web.signIn(), ...headers } });
}

test("a body of a megabyte is taken, and one of 5 MB is refused before it is read", async () => {
  const web = await serveWeb(ECHO);
  const text = "x".repeat(MEGABYTE - 2);

  expect((await echo(web, JSON.stringify(text))).status).toBe(200);
  expect((await echo(web, JSON.stringify(`${text}x`))).status).toBe(413);
  expect((await echo(web, Buffer.alloc(5 * MEGABYTE, "1"))).status).toBe(413);
});

test("a body that only says that it is large is refused at once", async () => {
  const web = await serveWeb(ECHO);

  expect((await echo(web, "{", { "Content-Length": "99999999999" })).status).toBe(413);
});

test("a body of 5 MB in chunks is refused when it is too long", async () => {
  const web = await serveWeb(ECHO);
  const chunk = Buffer.alloc(64 * 1024, "1");
  const framed = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
  const body = Buffer.concat(Array.from({ length: 80 }, () => framed));

  const { status } = await echo(web, body, { "Transfer-Encoding": "chunked" });
  // It may close before we have sent everything, and then the answer may be lost on the way.
  expect([413, 0]).toContain(status);
});

test("a body that its sender asks about is not asked for when it is too large", async () => {
  const web = await serveWeb(ECHO);
  const send = (length: number) =>
    web.raw(
      `POST /echo HTTP/1.1\r\nHost: ${web.host}\r\nOrigin: ${web.origin}\r\nCookie: ${web.signIn()}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`,
    );

  expect((await send(5 * MEGABYTE)).status).toBe(413);
});

test.each([16, 64, 1024])("headers of %i KB are refused", async (kilobytes) => {
  const web = await serveWeb(ECHO);

  expect((await web.ask("/", { headers: { "X-Long": "x".repeat(kilobytes * 1024) } })).status).toBe(431);
  expect((await web.ask(`/?${"x".repeat(kilobytes * 1024)}`)).status).toBe(431);
  expect((await web.ask("/")).status).toBe(200);
});

test.each([
  ["10^5 levels of lists", "[".repeat(100_000) + "]".repeat(100_000)],
  ["10^5 levels of objects", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`],
  ["half of it", "[".repeat(100_000)],
  ["a prototype", '{"__proto__":{"admin":true}}'],
  ["a constructor's prototype in a prototype", '{"constructor":{"prototype":{}},"__proto__":null}'],
  ["no JSON", "admin=true"],
])("%s gets 400", async (_, body) => {
  const web = await serveWeb(ECHO);
  const answer = await echo(web, body);

  expect(answer.status).toBe(400);
  expect(jsonOf(answer)).toMatchObject({ error: { code: "BAD_REQUEST" } });
  expect(({} as Record<string, unknown>)["admin"]).toBeUndefined();
});

test("a packed body is refused without unpacking it", async () => {
  const web = await serveWeb(ECHO);
  const bomb = gzipSync(Buffer.alloc(64 * MEGABYTE));

  expect((await echo(web, bomb, { "Content-Encoding": "gzip" })).status).toBe(415);
});

test("a request that is sent slowly is given up", async () => {
  const limits = { headersTimeout: 300, requestTimeout: 600, connectionsCheckingInterval: 50, maxHeaderSize: 16_384 };
  const web = await serveWeb(ECHO, { limits });
  const head = `POST /echo HTTP/1.1\r\nHost: ${web.host}\r\nOrigin: ${web.origin}\r\nCookie: ${web.signIn()}\r\n`;
  const slowly = [
    { start: "", drip: "" },
    { start: "", drip: "G" },
    { start: head, drip: "X-a: b\r\n" },
    { start: `${head}Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n`, drip: " " },
  ];

  const sockets = slowly.map(({ start, drip }) => drippingSocket(web.port, start, drip));
  await until(() => sockets.every(({ closed }) => closed), "all slow connections are closed");
  // On a busy machine, a request of ours may be too slow for these limits as well.
  await until(async () => (await web.ask("/")).status === 200, "another request is answered");
  await until(() => web.server.connections === 0, "the server has forgotten them");
});

/** Sends `start`, then `drip` again and again. */
function drippingSocket(port: number, start: string, drip: string): Socket {
  const socket = connect(port, "127.0.0.1", () => socket.write(start));
  const dripping = setInterval(() => socket.writable && socket.write(drip), 50);
  socket.on("error", () => undefined);
  socket.on("close", () => clearInterval(dripping));
  socket.resume();
  onTestFinished(() => void socket.destroy());
  return socket;
}

test("600 idle connections keep nobody out, and are 500 at most", async () => {
  // None of them is closed for being slow.
  const web = await serveWeb(ECHO, { limits: { headersTimeout: 120_000, requestTimeout: 120_000 } });
  const idle = Array.from({ length: 600 }, () => {
    const socket = connect(web.port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.resume();
    onTestFinished(() => void socket.destroy());
    return socket;
  });
  await until(() => idle.filter(({ closed }) => closed).length >= 100, "the oldest connections are closed");

  expect(web.server.connections).toBe(500);
  expect((await web.ask("/")).status).toBe(200);
  expect((await echo(web, '"x"')).status).toBe(200);
  expect(web.server.connections).toBeLessThanOrEqual(500);
});

test("a visitor has so many streams at most, and others have theirs", async () => {
  const web = await serveWeb({
    routes: [
      {
        method: "GET",
        path: "/events",
        right: "view",
        answer: async ({ signal }) => ({ kind: "events", events: silent(signal) }),
      },
    ],
  });
  const open = (cookie: string) => {
    const socket = connect(web.port, "127.0.0.1", () =>
      socket.write(`GET /events HTTP/1.1\r\nHost: ${web.host}\r\nCookie: ${cookie}\r\n\r\n`),
    );
    socket.on("error", () => undefined);
    socket.resume();
    onTestFinished(() => void socket.destroy());
  };
  const greedy = web.signIn();
  for (let count = 0; count < 32; count += 1) open(greedy);
  await until(() => web.server.streams === 32, "all streams are open");

  expect((await web.ask("/events", { headers: { Cookie: greedy } })).status).toBe(429);
  open(web.signIn());
  await until(() => web.server.streams === 33, "another visitor has a stream");
});

async function* silent(signal: AbortSignal): AsyncGenerator<never> {
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}

test("an answer that fails says nothing about why, and the log does", async () => {
  const web = await serveWeb({
    routes: [
      {
        method: "GET",
        path: "/",
        right: null,
        answer: async () => {
          throw new Error("secret path /home/me");
        },
      },
    ],
  });
  const answer = await web.ask("/?password=hunter2");

  expect(answer.status).toBe(500);
  expect(answer.body).not.toContain("secret");
  expect(web.problems).toEqual([expect.stringContaining("secret path")]);
  expect(web.problems.join()).not.toContain("hunter2");
});
