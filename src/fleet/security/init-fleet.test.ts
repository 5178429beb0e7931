import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fromPublic } from "@nats-io/nkeys";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { addFleetUser, initFleet } from "./init-fleet.ts";

let folder: string;
let fleet: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "limpet-fleet-"));
  fleet = join(folder, "fleet");
  initFleet(fleet, { servers: ["localhost"], users: [{ kind: "host", name: "gpu-1" }] });
});

afterAll(() => rmSync(folder, { recursive: true }));

test("nobody else can read what is written", () => {
  const paths = readdirSync(fleet, { recursive: true }).map(String).sort();

  expect(paths).toEqual([
    "ca.crt",
    "hosts",
    "hosts/gpu-1.creds",
    "journal.key",
    "keys",
    "keys/account.seed",
    "keys/ca.key",
    "keys/hosts",
    "keys/hosts/gpu-1.pub",
    "keys/operator.seed",
    "operator.creds",
    "server",
    "server/nats-server.conf",
    "server/server.crt",
    "server/server.key",
  ]);
  for (const path of ["", ...paths]) {
    const found = statSync(join(fleet, path));
    expect([path, found.mode & 0o777]).toEqual([path, found.isDirectory() ? 0o700 : 0o600]);
  }
});

test("a user's token is signed by the account, for its own key", () => {
  const creds = readFileSync(join(fleet, "hosts/gpu-1.creds"), "utf8");
  const [, token = "", seed = ""] = /JWT-----\n(\S+)\n[\s\S]*SEED-----\n(\S+)\n/.exec(creds) ?? [];
  const [header = "", claims = "", signature = ""] = token.split(".");
  const read = JSON.parse(Buffer.from(claims, "base64url").toString());

  expect(read).toMatchObject({
    name: "host gpu-1",
    sub: expect.stringMatching(/^U/),
    iss: expect.stringMatching(/^A/),
  });
  expect(seed).toMatch(/^SU/);
  expect(fromPublic(read.iss).verify(Buffer.from(`${header}.${claims}`), Buffer.from(signature, "base64url"))).toBe(
    true,
  );
});

test("a directory with something in it, a file that exists and a bad name are refused, and nothing is written", () => {
  const other = join(folder, "other");
  const init = (directory: string, name: string) => () =>
    initFleet(directory, { servers: ["localhost"], users: [{ kind: "door", name }] });

  expect(codeOfThrown(init(fleet, "laptop"))).toBe("BAD_OPTION");
  expect(codeOfThrown(init(join(fleet, "ca.crt"), "laptop"))).toBe("FILE_FAILED");
  for (const name of ["", "a b", "a.b", "*", ">", "../x", "1st", "x".repeat(64)])
    expect(codeOfThrown(init(other, name))).toBe("BAD_OPTION");
  expect(codeOfThrown(() => initFleet(other, { servers: ["a b"], users: [] }))).toBe("BAD_OPTION");
  expect(readdirSync(folder)).toEqual(["fleet"]);
});

test("adding needs a directory that init has written, and never replaces credentials", () => {
  expect(codeOfThrown(() => addFleetUser(join(folder, "none"), { kind: "host", name: "x" }))).toBe("FILE_FAILED");
  expect(codeOfThrown(() => addFleetUser(fleet, { kind: "host", name: "gpu-1" }))).toBe("FILE_FAILED");
  expect(codeOfThrown(() => addFleetUser(fleet, { kind: "door", name: "../x" }))).toBe("BAD_OPTION");

  const broken = mkdtempSync(join(folder, "broken-"));
  initFleet(join(broken, "fleet"), { servers: ["localhost"], users: [] });
  writeFileSync(join(broken, "fleet/keys/account.seed"), "not a seed");
  expect(codeOfThrown(() => addFleetUser(join(broken, "fleet"), { kind: "host", name: "x" }))).toBe("BAD_CONFIG");
});
