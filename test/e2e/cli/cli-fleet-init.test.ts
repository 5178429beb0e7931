import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Cli, openCli } from "../../support/cli.ts";

let cli: Cli;
beforeAll(() => {
  cli = openCli();
});
afterAll(() => cli[Symbol.asyncDispose]());

test("init writes the credentials of a fleet and says what to do next", async () => {
  const { code, stdout } = await cli.limpet([
    ...["fleet", "init", "mine", "--server", "nats.example.org"],
    ...["--host", "gpu-1", "--host", "gpu-2", "--door", "laptop"],
  ]);

  expect(code).toBe(0);
  expect(stdout).toBe(
    [
      "Wrote mine. Keep keys/ to yourself: whoever has it can add machines to the fleet.",
      "",
      "Next:",
      "  nats-server --config mine/server/nats-server.conf",
      "  limpet host run --join tls://nats.example.org:4222 --tls-ca mine/ca.crt --name gpu-1 --creds mine/hosts/gpu-1.creds",
      "  limpet fleet add host|door NAME mine",
      "",
      "Copy to each machine only its own .creds file and ca.crt.",
      "  mine/hosts/gpu-1.creds",
      "  mine/hosts/gpu-2.creds",
      "  mine/doors/laptop.creds",
      "Hosts that use --journal-key, and machines that read the copied output, also need journal.key.",
      "",
    ].join("\n"),
  );
  expect(statSync(join(cli.folder, "mine/hosts/gpu-1.creds")).mode & 0o777).toBe(0o600);
});

test("add signs another machine, once, and again after it was revoked", async () => {
  await cli.limpet(["fleet", "init", "other"]);

  const added = await cli.limpet(["fleet", "add", "door", "desk", "other", "--json"]);
  const again = await cli.limpet(["fleet", "add", "door", "desk", "other"]);
  const creds = readFileSync(join(cli.folder, "other/doors/desk.creds"), "utf8");
  const revoked = await cli.limpet(["fleet", "revoke", "door", "desk", "other"]);
  const renewed = await cli.limpet(["fleet", "add", "door", "desk", "other", "--expires", "90d"]);

  expect(JSON.parse(added.stdout)).toEqual({ file: join(cli.folder, "other/doors/desk.creds"), expires: null });
  expect(creds).toContain("BEGIN NATS USER JWT");
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining("FILE_FAILED") });
  expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining("nats-server --signal reload") });
  expect(renewed).toMatchObject({ code: 0, stdout: expect.stringMatching(/valid until \d{4}-\d\d-\d\dT/) });
});

test("a directory that is in use, missing words and an unknown action are refused", async () => {
  await cli.limpet(["fleet", "init", "full"]);

  const refusals = await Promise.all([
    cli.limpet(["fleet", "init", "full"]),
    cli.limpet(["fleet", "init"]),
    cli.limpet(["fleet", "add", "host"]),
    cli.limpet(["fleet", "remove", "x"]),
  ]);

  for (const { code, stderr } of refusals) expect([code, stderr.slice(0, 11)]).toEqual([2, "BAD_OPTION:"]);
});
