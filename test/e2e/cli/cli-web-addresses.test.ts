/** Where `limpet web` listens: socket files, addresses with TLS, and what is refused. */
import { execFile, execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request as requestTls } from "node:https";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { askWeb } from "../../../src/web/process/ask-web.ts";
import { needs } from "../../support/needs.ts";
import { until } from "../../support/sessions.ts";
import { LONG_MS } from "../../support/watching.ts";
import { type Asked, ask, JSON_BODY, type Reply, signIn } from "../../support/web/ask.ts";
import { webCli } from "../../support/web/web-cli.ts";

const { cli, state } = webCli();

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
    [["web", "share", "1", "--view", "--control"], /--view and --control cannot be combined/],
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
    expect(await askWeb(state, { method: "status" })).toBeUndefined();
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
    expect((await cli.limpet([...tls(), "--password-file", password])).stderr).toMatch(/Other users can read/);
    writeFileSync(join(folder(), "short"), "short", { mode: 0o600 });
    expect((await cli.limpet([...tls(), "--password-file", join(folder(), "short")])).stderr).toMatch(
      /has 5 characters/,
    );
    expect(await askWeb(state, { method: "status" })).toBeUndefined();
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
