/** `limpet web` and `limpet token` as a person uses them. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { needs } from "../../support/needs.ts";
import { pidsWith } from "../../support/processes.ts";
import { filesBelow } from "../../support/secrets.ts";
import { until } from "../../support/sessions.ts";
import { ask, JSON_BODY, signIn } from "../../support/web/ask.ts";
import { webCli } from "../../support/web/web-cli.ts";

const { cli, state } = webCli();

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
  const files = filesBelow(state).map(({ text }) => text);
  for (const secret of secrets) expect([...places, ...files].filter((text) => text.includes(secret))).toEqual([]);
  for (const name of ["web.lock", "web.log", "tokens.json"])
    expect([name, statSync(join(state, name)).mode & 0o777]).toEqual([name, 0o600]);
  expect(statSync(join(state, "web.sock")).mode & 0o777).toBe(0o600);
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

test("a program inside a session gets no link and no token", async () => {
  await cli.limpet(["web"]);
  const tried = ["web", "web shares", "web stop", "web run", "token create mine"];
  const line = tried.map((command) => `${cli.command} ${command} 2>&1`).join("; ");
  const { stdout } = await cli.limpet(["run", `${line}; true`]);

  expect(stdout.match(/this command runs inside session \d+/g)).toHaveLength(tried.length);
  expect(await cli.json("token", "list")).not.toContainEqual(expect.objectContaining({ name: "mine" }));
});

test.skipIf(!needs("cgroups"))("a program that has left its session and its marks gets no link either", async () => {
  await cli.limpet(["web"]);
  const words = `LIMPET_HOME=${state} HOME=$HOME PATH=$PATH`;
  const escaped = join(cli.folder, "escaped");
  const trying = `${cli.command} web --json > ${escaped} 2>&1; echo done >> ${escaped}`;
  await cli.limpet(["start", `setsid -f env -i ${words} sh -c '${trying}'; sleep 600`]);
  await until(() => existsSync(escaped) && readFileSync(escaped, "utf8").includes("done"), "it has tried", 60_000);
  expect(readFileSync(escaped, "utf8")).not.toContain("#key=");
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
  expect(readdirSync(state).filter((name) => /^web(-link|\.sock)/.test(name))).toEqual([]);
  expect(await cli.limpet(["web", "status"])).toMatchObject({ code: 1 });
  expect((await cli.limpet(["web", "shares"])).stderr).toContain("WEB_NOT_RUNNING");
  expect((await cli.limpet(["web", "stop"])).stdout).toBe("No web server is running.\n");
});

test("several that start at once share one server", async () => {
  const started = (await Promise.all(Array.from({ length: 4 }, () => cli.json("web")))) as { readonly base: string }[];

  expect(new Set(started.map(({ base }) => base)).size).toBe(1);
  await cli.limpet(["web", "stop"]);
  // Those that came too late do not take its place.
  const servers = new Set(pidsWith("\0web\0run\0"));
  const ours = () => pidsWith(`--state\0${state}`).filter((pid) => servers.has(pid));
  await until(() => ours().length === 0, "all that were started have ended");
});
