/** Sandboxes of a user who is not root: with Landlock, and with namespaces that this user makes. */
import { chmodSync, chownSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { skipWithout } from "../../support/needs.ts";
import { type OtherUser, openOtherUser } from "../../support/other-user.ts";

const { setUp, tearDown } = skipWithout("root", "landlock", "bwrap");

const LONG = { timeout: 120_000 };
let user: OtherUser;
let web: Server;
let port = 0;

/** As the user would make it. */
function own(path: string, text?: string): void {
  const { uid, gid } = statSync(user.home);
  if (text === undefined) mkdirSync(join(user.home, path));
  else writeFileSync(join(user.home, path), text, { mode: 0o600 });
  chownSync(join(user.home, path), uid, gid);
}

setUp(async () => {
  user = openOtherUser("unused");
  for (const folder of ["project", "bin", ".ssh", "project/.git", "project/.git/hooks"]) own(folder);
  own(".ssh/id", "the key\n");
  own("project/.git/config", "[core]\n");
  web = createServer((_, answer) => answer.end("the page"));
  await new Promise<void>((done) => web.listen(0, "127.0.0.1", done));
  port = (web.address() as AddressInfo).port;
}, 60_000);

tearDown(async () => {
  web?.close();
  await user?.close();
}, 60_000);

async function run(flags: readonly string[], command: string) {
  return await user.limpet(["run", "--cwd", "/mnt/home/project", "--sandbox", "workspace", ...flags, command]);
}

describe.each([
  ["Landlock", [] as readonly string[], /Permission denied/],
  ["bwrap", ["--bwrap"], /Read-only file system|Permission denied/],
])("with %s", (name, flags, refused) => {
  test("the project can be changed, and nothing else", LONG, async () => {
    const { code, stdout } = await run(
      flags,
      `id -u; echo ${name} > written; echo x > ../outside; cat ../.ssh/*; touch /etc/x; exit 7`,
    );

    expect(stdout).toMatch(/^54321\r?\n/);
    expect(stdout).toMatch(refused);
    expect(stdout).not.toContain("the key");
    expect(code).toBe(7);
    expect(readFileSync(join(user.home, "project", "written"), "utf8")).toBe(`${name}\n`);
    expect(() => statSync(join(user.home, "outside"))).toThrow("ENOENT");
  });

  test("a host of a list is reached, and no other", LONG, async () => {
    const curl = "curl -sS --max-time 20";

    const { stdout } = await run(
      [...flags, "--allow-host", `localhost:${port}`],
      `${curl} http://localhost:${port}/; echo; ${curl} --noproxy '*' http://127.0.0.1:${port}/; ${curl} http://other.test/`,
    );

    expect(stdout).toMatch(/^the page\r?\n/);
    expect(stdout).toMatch(/(Permission denied|Failed to connect|Couldn't connect)/);
    expect(stdout).toContain("does not allow connections to other.test:80");
    expect(stdout.match(/the page/g)).toHaveLength(1);
  });

  test("job control and signals work", LONG, async () => {
    // A signal that comes before the job has become sleep may be the shell's.
    const runs = "until grep -q sleep /proc/$!/comm; do sleep 0.05; done";
    const { stdout } = await run(flags, `bash -ic 'sleep 1000 & ${runs}; jobs; kill %1; wait %1; echo ended $?'`);

    expect(stdout).toMatch(/Running\s+sleep 1000/);
    expect(stdout).toContain("ended 143");
  });
});

test("the network loopback is one of its own", LONG, async () => {
  const { stdout } = await run(
    ["--loopback"],
    `python3 -c 'import socket
server = socket.create_server(("127.0.0.1", 0)); client = socket.create_connection(server.getsockname()); print("own", client.getpeername()[0])
try: socket.create_connection(("127.0.0.1", ${port}), 5)
except OSError as error: print("others:", error.strerror)'`,
  );

  expect(stdout).toMatch(/own 127\.0\.0\.1\r?\nothers: Connection refused/);
});

describe("where namespaces are refused", () => {
  const reason = "setting up uid map: Permission denied";
  setUp(() => {
    own(
      "bin/bwrap",
      `#!/bin/sh\n[ "$1" = --version ] && exec /usr/bin/bwrap --version\necho 'bwrap: ${reason}' >&2\nexit 1\n`,
    );
    chmodSync(join(user.home, "bin", "bwrap"), 0o755);
  });
  tearDown(() => rmSync(join(user.home, "bin", "bwrap")));

  test("nothing runs, and the error says why and what to do", LONG, async () => {
    const { code, stderr } = await run(["--bwrap", "--no-network"], "touch ran");

    expect(code).not.toBe(0);
    expect(stderr).toContain(`bwrap could not make the namespaces of a sandbox (${reason}). Allow user namespaces`);
    expect(() => statSync(join(user.home, "project", "ran"))).toThrow("ENOENT");
  });

  test("Landlock alone still works", LONG, async () => {
    expect(await run([], "echo fine")).toMatchObject({ code: 0, stdout: expect.stringContaining("fine") });
  });

  test("doctor says so", LONG, async () => {
    const { stdout } = await user.limpet(["doctor"]);

    expect(stdout).toMatch(new RegExp(`warn +bwrap +bubblewrap [\\d.]+, which cannot make namespaces: ${reason}`));
    expect(stdout).toContain("kernel.apparmor_restrict_unprivileged_userns");
    expect(stdout).toMatch(/ok +sandbox +Landlock version \d+/);
  });
});
