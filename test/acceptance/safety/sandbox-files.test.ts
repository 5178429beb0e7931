/** Which files a program in a sandbox can read and change, against the real kernel. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { needs, skipWithout } from "../../support/needs.ts";
import { runnerIn } from "../../support/sandboxed-run.ts";
import { suiteSandbox } from "../../support/suite-sandbox.ts";

const { setUp } = skipWithout("landlock", ...(suiteSandbox() === "bwrap" ? (["bwrap"] as const) : []));

/** By a rule, or by a mount. */
const REFUSED = /Permission denied|Read-only file system/g;
const outside = mkdtempSync(join(tmpdir(), "limpet-test-"));
afterAll(() => rmSync(outside, { recursive: true }));
const project = join(outside, "project");
// A home of its own: what is hidden in it must not affect the sandboxes of other test files.
const home = join(outside, "home");
vi.stubEnv("HOME", home);
const secret = join(homedir(), ".ssh", "id_test");
const runIn = runnerIn(project, suiteSandbox());

setUp(() => {
  mkdirSync(project);
  mkdirSync(join(homedir(), ".ssh"), { recursive: true });
  writeFileSync(secret, "the key");
  writeFileSync(join(outside, "theirs"), "untouched");
  symlinkSync(outside, join(project, "way-out"));
  symlinkSync(join(homedir(), ".ssh"), join(project, "keys"));
});

describe("files", () => {
  test("the project and the temporary directory can be changed, and nothing else", async () => {
    const inside = await runIn({}, 'echo new > file && mkdir -p a/b && mv file a/b && rm -r a && echo x > "$TMPDIR/y"');
    const refused = await runIn({}, `echo x > ${outside}/theirs; rm -f ${outside}/theirs; mkdir ${outside}/new`);

    expect(inside).toEqual({ code: 0, text: "" });
    expect(refused.text.match(REFUSED)).toHaveLength(3);
    expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("untouched");
  });

  test("read-only leaves the project as it is", async () => {
    const { code, text } = await runIn({ files: "read-only" }, 'ls > /dev/null; echo x > "$TMPDIR/y"; touch file');

    expect({ code, text: text.replace(REFUSED, "refused") }).toEqual({
      code: 1,
      text: "touch: cannot touch 'file': refused",
    });
  });

  test.each([
    ["a symbolic link", "way-out/theirs"],
    ["the directory above", "../theirs"],
    ["/proc/self/root", `/proc/self/root${join(outside, "theirs")}`],
    ["the directory of another process", `/proc/${process.pid}/root${join(outside, "theirs")}`],
  ])("%s is no way out", async (_, path) => {
    const { text } = await runIn(
      {},
      `echo x >> ${path}; truncate -s 0 ${path}; chmod 777 ${path} 2>&- ; mv ${path} moved`,
    );

    expect(text).toMatch(REFUSED);
    expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("untouched");
  });

  test("a hard link to a file outside is refused", async () => {
    expect((await runIn({}, `ln ${outside}/theirs mine && echo x > mine`)).code).not.toBe(0);
    expect(readFileSync(join(outside, "theirs"), "utf8")).toBe("untouched");
  });

  test.each([
    ["directly", () => secret],
    ["through a link in the project", () => "keys/id_test"],
    ["through /proc/self/root", () => `/proc/self/root${secret}`],
    ["through /proc/self/cwd", () => "/proc/self/cwd/keys/id_test"],
  ])("keys cannot be read %s", async (_, path) => {
    const { code, text } = await runIn({}, `cat ${path()}; cp ${path()} copy`);

    expect(code).toBe(1);
    expect(text).not.toContain("the key");
  });

  test.skipIf(!needs("root"))("as root, the files and devices of the system are closed as well", async () => {
    const { text } = await runIn(
      {},
      "cat /etc/shadow; for disk in /dev/vda /dev/sda /dev/kmsg /dev/mem; do head -c1 $disk; done",
    );

    expect(text).not.toMatch(/root:/);
    expect(text.split("\n").every((line) => /denied|No such/.test(line))).toBe(true);
  });

  test("what was created beside something hidden after the sandbox started is readable in the next session", async () => {
    await runIn({}, "true");
    const late = join(homedir(), "late");
    writeFileSync(late, "readable");

    expect(await runIn({}, `cat ${late}`)).toEqual({ code: 0, text: "readable" });
    rmSync(late);
  });

  test("a workspace that would expose what must stay hidden is refused", async () => {
    await expect(runIn({ project: homedir() }, "true")).rejects.toMatchObject({
      code: "BAD_OPTION",
      message: expect.stringMatching(/^A sandbox cannot make ".*" writable, because it would expose ".*"\. /),
    });
    await expect(runIn({ project: join(homedir(), ".ssh") }, "true")).rejects.toMatchObject({ code: "BAD_OPTION" });
    await expect(runIn({ project: "/nowhere" }, "true")).rejects.toMatchObject({ code: "DIRECTORY_NOT_FOUND" });
  });
});
