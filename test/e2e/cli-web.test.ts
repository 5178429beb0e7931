/** `limpet web` and `limpet token` as a person uses them. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { type IncomingHttpHeaders, request } from "node:http";
import { request as requestTls } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { askWeb } from "../../src/web/process/ask-web.ts";
import { type Cli, openCli } from "../support/cli.ts";
import { needs } from "../support/needs.ts";
import { filesBelow } from "../support/secrets.ts";
import { until } from "../support/sessions.ts";
import { LONG_MS } from "../support/watching.ts";

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly socketPath?: string;
}

/** To the address of a link, whose name this process cannot resolve. */
function ask(
  base: string,
  path: string,
  { method = "GET", headers = {}, body, socketPath }: Asked = {},
): Promise<Reply> {
  const { host, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const where = socketPath === undefined ? { host: "127.0.0.1", port } : { socketPath };
    const own = { Host: host, Origin: `http://${host}`, Connection: "close", ...headers };
    const asked = request({ ...where, method, path, headers: own, timeout: LONG_MS }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: Buffer.concat(chunks).toString() }),
      );
      answer.on("error", reject);
    });
    asked.on("error", reject);
    asked.end(body);
  });
}

const JSON_BODY = { "Content-Type": "application/json" };

async function signIn(link: string, socketPath?: string): Promise<Reply & { readonly cookie: string }> {
  const { origin, hash } = new URL(link);
  const body = JSON.stringify({ key: hash.slice("#key=".length) });
  const via = socketPath === undefined ? {} : { socketPath };
  const reply = await ask(origin, "/api/sign-in", { method: "POST", headers: JSON_BODY, body, ...via });
  return { ...reply, cookie: reply.headers["set-cookie"]?.[0]?.split(";")[0] ?? "" };
}

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(async () => {
  await cli.limpet(["web", "stop"]);
  await cli[Symbol.asyncDispose]();
});

const state = () => cli.env["LIMPET_HOME"] ?? "";

test("limpet web prints a link that signs in once, and finds its server again", async () => {
  const first = await cli.limpet(["web"]);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  const link = first.stdout.trim();
  expect(link).toMatch(/^http:\/\/limpet-[a-z2-9]{8}\.localhost:\d+\/#key=[\w-]{43}$/);
  const { origin } = new URL(link);
  expect((await ask(origin, "/")).status).toBe(200);
  expect((await ask(origin, "/api/me")).status).toBe(401);

  const signed = await signIn(link);
  expect(signed.status).toBe(200);
  const me = await ask(origin, "/api/me", { headers: { Cookie: signed.cookie } });
  expect(JSON.parse(me.text)).toMatchObject({ right: "control", session: null });
  expect((await signIn(link)).status).toBe(401);

  const second = (await cli.limpet(["web"])).stdout.trim();
  expect(new URL(second).origin).toBe(origin);
  expect(second).not.toBe(link);
  expect(await cli.json("web", "status")).toMatchObject({ base: origin, socket: null, visitors: 1 });
  expect((await cli.limpet(["web", "status"])).stdout).toContain(`Address:  ${origin}`);
});

test("it listens on this machine only", async () => {
  const { base } = (await cli.json("web")) as { readonly base: string };
  const port = Number(new URL(base).port).toString(16).toUpperCase().padStart(4, "0");
  const lines = ["/proc/net/tcp", "/proc/net/tcp6"]
    .filter(existsSync)
    .flatMap((file) => readFileSync(file, "utf8").split("\n"))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local = "", , socketState]) => local.endsWith(`:${port}`) && socketState === "0A")
    .map(([, local = ""]) => local.split(":")[0]);

  expect(lines).toContain("0100007F");
  expect(lines.filter((address) => address !== "0100007F" && address !== "00000000000000000000000001000000")).toEqual(
    [],
  );
});

test("nothing secret is in its arguments, environment, files or log", async () => {
  const { link, pid } = (await cli.json("web")) as { readonly link: string; readonly pid: number };
  const { cookie } = await signIn(link);
  const { token } = (await cli.json("token", "create", "quiet")) as { readonly token: string };
  await ask(new URL(link).origin, "/api/me", { headers: { Authorization: `Bearer ${token}` } });
  const secrets = [link.split("#key=")[1], cookie.split("=")[1], token, token.slice(7)] as string[];

  const places = ["cmdline", "environ"].map((name) => readFileSync(`/proc/${pid}/${name}`, "utf8"));
  const files = filesBelow(state()).map(({ text }) => text);
  for (const secret of secrets) expect([...places, ...files].filter((text) => text.includes(secret))).toEqual([]);
  for (const name of ["web.lock", "web.log", "tokens.json"])
    expect([name, statSync(join(state(), name)).mode & 0o777]).toEqual([name, 0o600]);
  expect(statSync(join(state(), "web.sock")).mode & 0o777).toBe(0o600);
});

test("a share is for one session, is listed, and ends when it is revoked", async () => {
  const { stdout } = await cli.limpet(["start", "--name", "shared", "sleep 600"]);
  const id = stdout.trim();
  const { link } = (await cli.json("web", "share", "shared", "--view", "--for", "1h")) as { readonly link: string };
  const { cookie, text } = await signIn(link);
  expect(JSON.parse(text)).toEqual({ right: "view", session: id });
  const { origin } = new URL(link);
  const me = () => ask(origin, "/api/me", { headers: { Cookie: cookie } });
  expect(JSON.parse((await me()).text)).toMatchObject({ right: "view", session: id });

  const listed = (await cli.json("web", "shares")) as { readonly id: string; readonly kind: string }[];
  const share = listed.find(({ kind }) => kind === "share");
  expect(share).toMatchObject({ right: "view", session: id, isUsed: true });
  expect((await cli.limpet(["web", "shares"])).stdout).toMatch(/^\d+ +share +view +\d+ +signed in/m);
  expect((await cli.limpet(["web", "revoke", share?.id ?? ""])).stdout).toContain("Revoked");
  expect((await me()).status).toBe(401);
  expect(await cli.limpet(["web", "revoke", share?.id ?? ""])).toMatchObject({ code: 1 });
});

test("a token is printed once, lets an agent in, and is refused when it is revoked", async () => {
  const { base } = (await cli.json("web")) as { readonly base: string };
  const created = await cli.limpet(["token", "create", "laptop", "--scope", "view", "--for", "12h"]);
  const token = created.stdout.trim();
  expect(token).toMatch(/^limpet_[\w-]{43}$/);
  const me = () => ask(base, "/api/me", { headers: { Authorization: `Bearer ${token}` } });
  expect(JSON.parse((await me()).text)).toMatchObject({ right: "view" });

  expect((await cli.limpet(["token", "list"])).stdout).toMatch(/^laptop +view +\d+h$/m);
  expect(await cli.limpet(["token", "create", "laptop"])).toMatchObject({ code: 1 });
  expect((await cli.limpet(["token", "revoke", "laptop"])).stdout).toContain("Revoked laptop.");
  expect((await me()).status).toBe(401);
  expect((await cli.limpet(["token", "revoke", "laptop"])).stderr).toContain("TOKEN_NOT_FOUND");
});

test("a program inside a session gets no link and no token, also without its marks", async () => {
  await cli.limpet(["web"]);
  const run = async (line: string) => (await cli.limpet(["run", line])).stdout;
  const words = `LIMPET_HOME=${state()} HOME=$HOME PATH=$PATH`;

  for (const command of ["web", "web share 1", "web shares", "web stop", "token create mine", "web run"]) {
    expect(await run(`${cli.command} ${command} 2>&1; true`)).toMatch(/inside session|inside a session|No session/);
  }
  const escaped = join(cli.folder, "escaped");
  const trying = `${cli.command} web --json > ${escaped} 2>&1; echo done >> ${escaped}`;
  await cli.limpet(["start", `setsid -f env -i ${words} sh -c '${trying}'; sleep 600`]);
  await until(() => existsSync(escaped) && readFileSync(escaped, "utf8").includes("done"), "it has tried", 60_000);
  expect(readFileSync(escaped, "utf8")).not.toContain("#key=");
  expect(await cli.json("token", "list")).not.toContainEqual(expect.objectContaining({ name: "mine" }));
});

test("huge requests do not make it grow", async () => {
  const { base, pid } = (await cli.json("web")) as { readonly base: string; readonly pid: number };
  const megabytes = () => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  const body = Buffer.alloc(5 * 1024 * 1024, "[");
  const send = () =>
    ask(base, "/api/sign-in", { method: "POST", headers: JSON_BODY, body }).then(
      ({ status }) => status,
      () => 0,
    );
  await send();
  const before = megabytes();
  for (let count = 0; count < 50; count += 1) expect([413, 0]).toContain(await send());
  const deep = await ask(base, "/api/sign-in", { method: "POST", headers: JSON_BODY, body: "[".repeat(100_000) });

  expect(deep.status).toBe(400);
  expect(megabytes() - before).toBeLessThan(120);
});

test("it goes on after its host was killed", async () => {
  const { base, link } = (await cli.json("web")) as { readonly base: string; readonly link: string };
  const { cookie } = await signIn(link);
  process.kill(await cli.hostPid(), "SIGKILL");

  expect((await ask(base, "/api/me", { headers: { Cookie: cookie } })).status).toBe(200);
  expect((await cli.limpet(["start", "sleep 600"])).code).toBe(0);
  expect(await cli.json("web", "status")).toMatchObject({ base });
});

test("--open opens a page that leads to the link, without the key in any argument", async () => {
  const bin = join(cli.folder, "bin");
  mkdirSync(bin);
  const seen = join(cli.folder, "opened");
  writeFileSync(join(bin, "xdg-open"), `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}.new; mv ${seen}.new ${seen}\n`, {
    mode: 0o755,
  });
  const { stdout, code } = await cli.limpet(["web", "--open"], undefined, { PATH: `${bin}:${process.env["PATH"]}` });
  await until(() => existsSync(seen), "a browser was opened");

  expect(code).toBe(0);
  const link = stdout.trim();
  const page = readFileSync(seen, "utf8").trim();
  expect(page).toMatch(/\/web-link-\d+-\d+\.html$/);
  expect(readFileSync(page, "utf8")).toContain(`url=${link}"`);
  expect(statSync(page).mode & 0o777).toBe(0o600);
});

test("--qr draws the link", async () => {
  const { stdout } = await cli.limpet(["web", "--qr"]);

  expect(stdout).toMatch(/^http.*\n(?:[ █▀▄]+\n){15,}/);
});

test("another address for the same server is refused", async () => {
  const refused = await cli.limpet(["web", "--port", "1"]);

  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stderr).toMatch(/^WEB_RUNNING: The web server already listens on http/);
});

test("stop ends it, its links and its pages", async () => {
  const { base } = (await cli.json("web")) as { readonly base: string };
  expect((await cli.limpet(["web", "stop"])).stdout).toBe("Stopped the web server. The sessions continue.\n");

  await expect(ask(base, "/")).rejects.toThrow();
  expect(readdirSync(state()).filter((name) => /^web(-link|\.sock)/.test(name))).toEqual([]);
  expect(await cli.limpet(["web", "status"])).toMatchObject({ code: 1 });
  expect((await cli.limpet(["web", "shares"])).stderr).toContain("WEB_NOT_RUNNING");
  expect((await cli.limpet(["web", "stop"])).stdout).toBe("No web server is running.\n");
});

test("several that start at once share one server", async () => {
  const started = (await Promise.all(Array.from({ length: 4 }, () => cli.json("web")))) as { readonly base: string }[];

  expect(new Set(started.map(({ base }) => base)).size).toBe(1);
  await cli.limpet(["web", "stop"]);
});

test("a socket file is for its owner, and for any forwarded port", async () => {
  const path = join(cli.folder, "web.socket");
  const { stdout, stderr } = await cli.limpet(["web", "--socket", path]);
  const link = stdout.trim();
  expect(stderr).toContain(`ssh -L 8573:${path}`);
  expect(statSync(path).mode & 0o777).toBe(0o600);

  const forwarded = link.replace(/\/\/[^/]+/, "//127.0.0.1:9999");
  expect((await signIn(link.replace(/\/\/[^/]+/, "//evil.test:8573"), path)).status).toBe(403);
  expect((await signIn(forwarded, path)).status).toBe(200);
  expect(await cli.json("web", "status")).toMatchObject({ socket: path });
  await cli.limpet(["web", "stop"]);
  expect(existsSync(path)).toBe(false);
});

describe("an address of the network", () => {
  const flags = (...more: string[]) => ["web", "--host", "0.0.0.0", ...more];

  test.each([
    [flags(), /needs TLS/],
    [flags("--tls-cert", "/nowhere.pem", "--tls-key", "/nowhere.pem"), /cannot be read \(ENOENT\)/],
    [["web", "--host", "evil.test"], /Give an IP address/],
    [["web", "--password-file", "x"], /does not use --password-file/],
    [["web", "--port", "99999"], /--port is "99999"/],
    [["web", "share"], /share needs a session/],
    [["web", "share", "1", "--view", "--control"], /exclude each other/],
    [["web", "share", "1", "--for", "never"], /--for is "never"/],
    [["web", "nonsense"], /has no action "nonsense"/],
    [["token", "create"], /The name is missing/],
    [["token", "create", "a b"], /is not a name for a token/],
    [["token", "create", "x", "--scope", "all"], /--scope is "all"/],
    [["token", "create", "x", "--for", "400d"], /at most 366d/],
  ])("%j is refused", async (words, message) => {
    const { code, stderr } = await cli.limpet(words);

    expect(code).not.toBe(0);
    expect(stderr).toMatch(message);
    expect(await askWeb(state(), { method: "status" })).toBeUndefined();
  });
});

describe.skipIf(!needs("openssl"))("with TLS", () => {
  const folder = () => cli.folder;
  const tls = () => [
    "web",
    "--host",
    "127.0.0.1",
    "--tls-cert",
    join(folder(), "cert.pem"),
    "--tls-key",
    join(folder(), "key.pem"),
  ];
  beforeAll(() => {
    const files = ["-keyout", join(folder(), "key.pem"), "-out", join(folder(), "cert.pem")];
    const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    execFileSync("openssl", ["req", "-x509", ...key, ...files, "-days", "2", "-subj", "/CN=127.0.0.1"], {
      stdio: "ignore",
    });
  });

  function askTls(base: string, path: string, { headers = {}, body, method = "GET" }: Asked = {}): Promise<Reply> {
    const { host, port } = new URL(base);
    const own = { Host: host, Origin: `https://${host}`, Connection: "close", ...headers };
    return new Promise((resolve, reject) => {
      const options = { host: "127.0.0.1", port, method, path, headers: own, rejectUnauthorized: false };
      const asked = requestTls(options, (answer) => {
        answer.resume();
        answer.on("end", () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text: "" }));
      });
      asked.on("error", reject);
      asked.end(body);
    });
  }

  test("it does not start without a password or a token, or with a password that others can read", async () => {
    const password = join(folder(), "password");
    for (const { name } of (await cli.json("token", "list")) as { readonly name: string }[])
      await cli.limpet(["token", "revoke", name]);
    expect((await cli.limpet(tls())).stderr).toMatch(/nobody could sign in/);
    writeFileSync(password, "correct horse battery\n", { mode: 0o644 });
    expect((await cli.limpet([...tls(), "--password-file", password])).stderr).toMatch(/Others can read/);
    writeFileSync(join(folder(), "short"), "short", { mode: 0o600 });
    expect((await cli.limpet([...tls(), "--password-file", join(folder(), "short")])).stderr).toMatch(
      /has 5 characters/,
    );
    expect(await askWeb(state(), { method: "status" })).toBeUndefined();
  });

  test("a password signs in, and the cookie is for TLS and this host only", async () => {
    const file = join(folder(), "secret-password");
    writeFileSync(file, "correct horse battery\n", { mode: 0o600 });
    const { link, base, pid } = (await cli.json(...tls(), "--password-file", file)) as Record<string, string>;
    expect(link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/#key=/);
    const sent = (password: string) =>
      askTls(base ?? "", "/api/sign-in", { method: "POST", headers: JSON_BODY, body: JSON.stringify({ password }) });

    expect((await sent("wrong horse battery")).status).toBe(401);
    const { status, headers } = await sent("correct horse battery");
    expect(status).toBe(200);
    expect(headers["set-cookie"]?.[0]).toMatch(
      /^__Host-limpet-\d+=[\w-]{43}; Path=\/; .*; HttpOnly; SameSite=Strict; Secure$/,
    );
    const [cookie = ""] = headers["set-cookie"]?.[0]?.split(";") ?? [];
    expect((await askTls(base ?? "", "/api/me", { headers: { Cookie: cookie } })).status).toBe(200);
    expect((await askTls(base ?? "", "/", { headers: { Host: "evil.test" } })).status).toBe(403);
    await expect(ask(base ?? "", "/")).rejects.toThrow();
    expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain("correct horse");
    await cli.limpet(["web", "stop"]);
  });
});

test("in the foreground it runs until it is interrupted", async () => {
  const [node = "", main = ""] = cli.command.split(" ");
  const child = execFile(node, [main, "web", "run", "--port", "0"], { env: { ...process.env, ...cli.env } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  child.stdout?.on("data", (text) => {
    printed += text;
  });
  await until(() => printed.includes("Listening on http://"), "it listens", LONG_MS);
  expect((await cli.limpet(["web"])).code).toBe(0);

  child.kill("SIGINT");
  await until(() => child.exitCode !== null, "it has ended", LONG_MS);
  expect(child.exitCode).toBe(0);
});
