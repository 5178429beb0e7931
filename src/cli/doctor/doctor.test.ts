import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkCgroup } from "./check-cgroup.ts";
import { checkOpenFiles, checkStateDirectory } from "./check-files.ts";
import { checkNode } from "./check-node.ts";
import { checkPolicy } from "./check-policy.ts";
import { checkShells } from "./check-shells.ts";
import { checkTerminal, checkTerminalLimit } from "./check-terminals.ts";
import { describeFindings } from "./doctor.ts";

let place: string;

beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "limpet-doctor-"));
});

afterEach(async () => {
  await chmod(place, 0o700);
  await rm(place, { recursive: true });
});

async function put(path: string, text: string): Promise<void> {
  await mkdir(join(place, path, ".."), { recursive: true });
  await writeFile(join(place, path), text);
}

test.each([
  ["v20.15.0", "linux", "ok"],
  ["v20.14.9", "linux", "fail"],
  ["v18.20.0", "linux", "fail"],
  ["v21.7.0", "linux", "fail"],
  ["v22.1.0", "linux", "fail"],
  ["v22.2.0", "linux", "ok"],
  ["v25.0.0", "linux", "ok"],
  ["v22.2.0", "darwin", "fail"],
])("Node %s on %s is %s", (version, platform, verdict) => {
  expect(checkNode(version, platform).verdict).toBe(verdict);
});

test("a machine without terminals fails with the reason and the remedy", async () => {
  const finding = await checkTerminal(() => {
    throw new Error("A terminal could not be opened");
  });

  expect(finding).toEqual({
    check: "terminals",
    verdict: "fail",
    what: "A terminal could not be opened",
    meaning: expect.stringContaining("mount devpts"),
  });
});

test.each([
  ["4096", "10", "ok", "4086 more can be opened."],
  ["100", "90", "warn", "Only 10 more can be opened on this machine."],
  ["x", "90", "warn", "The number of free terminals is unknown"],
])("of %s terminals with %s in use is told what it means", async (max, used, verdict, meaning) => {
  await put("sys/kernel/pty/max", `${max}\n`);
  await put("sys/kernel/pty/nr", `${used}\n`);

  expect(await checkTerminalLimit(place)).toMatchObject({ verdict, meaning: expect.stringContaining(meaning) });
});

test("without control groups, or where none can be made, closing is said to search instead", async () => {
  expect(await checkCgroup(join(place, "nowhere"))).toMatchObject({
    verdict: "warn",
    what: expect.stringContaining("ENOENT"),
    meaning: expect.stringContaining("Delegate=yes"),
  });
});

test("a group that cannot be ended at once is told apart, and is removed", async () => {
  expect(await checkCgroup(place)).toMatchObject({ verdict: "warn", meaning: expect.stringContaining("Linux 5.14") });
  expect(await readdir(place)).toEqual([]);
});

test.each([
  [["bash", "sh"], "ok"],
  [["sh"], "warn"],
  [[], "fail"],
])("with the shells %j the verdict is %s", async (names, verdict) => {
  for (const name of names) await symlink("/bin/sh", join(place, name));

  const finding = await checkShells(`${place}::/nowhere`);

  expect(finding.verdict).toBe(verdict);
  for (const name of names) expect(finding.what).toContain(join(place, name));
});

test.each([
  ["Max open files            1024                 4096                 files", "ok", "1024 open files"],
  ["Max open files            unlimited            unlimited            files", "ok", "unlimited open files"],
  ["Max open files            256                  4096                 files", "warn", "256 open files"],
  ["nothing of the kind", "warn", "cannot be read"],
])("limits that say %j are %s", async (line, verdict, what) => {
  await put("self/limits", `Limit                     Soft Limit\n${line} \n`);

  expect(await checkOpenFiles(place)).toMatchObject({ verdict, what: expect.stringContaining(what) });
});

test("a state directory is made, closed to others, and one that a host would refuse fails with its reason", async () => {
  expect(await checkStateDirectory(join(place, "a/b"))).toMatchObject({ verdict: "ok" });
  expect(await readdir(join(place, "a/b"))).toEqual([]);

  await chmod(place, 0o755);
  expect(await checkStateDirectory(place)).toMatchObject({
    verdict: "fail",
    what: expect.stringContaining("is open to others (mode 0755). Close it with: chmod"),
  });

  await symlink(join(place, "a/b"), join(place, "link"));
  expect(await checkStateDirectory(join(place, "link"))).toMatchObject({
    verdict: "fail",
    what: expect.stringContaining("is a symbolic link"),
  });

  await put("file", "");
  expect(await checkStateDirectory(join(place, "file/state"))).toMatchObject({
    verdict: "fail",
    meaning: expect.stringContaining("LIMPET_HOME"),
  });
});

test("rules with a mistake fail with the file and the line, and others are counted", async () => {
  const userFile = join(place, "policy.json");
  expect(await checkPolicy({ userFile })).toMatchObject({ verdict: "ok", what: "there is none" });

  await put("policy.json", '{ "rules": [{ "prefix": ["ls"], "decision": "allow" }] }');
  expect(await checkPolicy({ userFile })).toMatchObject({ verdict: "ok", what: `${userFile} (1 rule)` });

  await put("policy.json", '{\n  "default": "ask",\n  "rulez": [] }');
  expect(await checkPolicy({ userFile })).toEqual({
    check: "policy.json",
    verdict: "fail",
    what: expect.stringMatching(/policy\.json: Line 3 has an unknown setting "rulez"/),
    meaning: "Agents can run nothing until it is fixed.",
  });
});

test("findings are printed one below the other, each with its meaning", () => {
  expect(
    describeFindings([
      { check: "node", verdict: "ok", what: "Node v22", meaning: "Fine." },
      { check: "terminals", verdict: "fail", what: "none", meaning: "Mount devpts." },
    ]),
  ).toEqual([
    "ok    node       Node v22",
    "                 Fine.",
    "fail  terminals  none",
    "                 Mount devpts.",
  ]);
});
