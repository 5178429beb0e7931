import { expect, test } from "vitest";
import { type Grant, RIGHTS } from "../../linux/restrict/landlock.ts";
import { planGrants } from "./plan-grants.ts";

const TREE: Readonly<Record<string, readonly string[]>> = {
  "/": ["dev", "etc", "home", "usr"],
  "/home": ["ada", "bob"],
  "/home/ada": [".ssh", "notes", "work"],
};

const OWN = { readable: "/box/read", writable: "/box/write", terminals: [] };

const plan = (options: Partial<Parameters<typeof planGrants>[0]>) =>
  planGrants({ hidden: [], writable: [], own: OWN, list: (path) => TREE[path] ?? [], ...options });

const READ = RIGHTS.readFile | RIGHTS.readDirectory | RIGHTS.execute;

/** The rights for a path, from all grants at and above it, as the kernel adds them up. */
function rightsOf(path: string, grants: readonly Grant[]): bigint {
  const above = grants.filter((grant) => path === grant.path || path.startsWith(`${grant.path.replace(/\/$/, "")}/`));
  return above.reduce((sum, { rights }) => sum | rights, 0n);
}

test("without anything hidden, all can be read and nothing written", () => {
  const { grants, listed } = plan({});

  expect(rightsOf("/usr/bin/env", grants)).toBe(READ);
  expect(listed).toEqual([]);
});

test("what is hidden cannot be read, and its siblings can", () => {
  const { grants, listed } = plan({ hidden: ["/home/ada/.ssh", "/dev"] });

  expect(rightsOf("/home/ada/.ssh/key", grants)).toBe(RIGHTS.readDirectory);
  expect(rightsOf("/dev/sda", grants)).toBe(RIGHTS.readDirectory);
  for (const path of ["/home/ada/notes", "/home/bob/x", "/etc/passwd", "/usr/bin/env"])
    expect(rightsOf(path, grants)).toBe(READ);
  expect(listed).toEqual(["/home/ada", "/home", "/"]);
});

test("what is writable can be changed in every way but with device files", () => {
  const { grants } = plan({ hidden: ["/home/ada/.ssh"], writable: ["/home/ada/work"] });
  const rights = rightsOf("/home/ada/work/new", grants);

  expect(rights & RIGHTS.writeFile).not.toBe(0n);
  expect(rights & RIGHTS.refer).not.toBe(0n);
  expect(rights & (RIGHTS.makeCharDevice | RIGHTS.makeBlockDevice)).toBe(0n);
  expect(rightsOf("/home/ada/notes", grants)).toBe(READ);
});

test("terminals and harmless devices can be used", () => {
  const { grants } = plan({ hidden: ["/dev"], own: { ...OWN, terminals: ["/dev/pts/7"] } });

  for (const path of ["/dev/null", "/dev/tty", "/dev/pts/7"])
    expect(rightsOf(path, grants) & RIGHTS.writeFile).not.toBe(0n);
  expect(rightsOf("/dev/pts/8", grants)).toBe(RIGHTS.readDirectory);
});

test("where limpet leaves files, programs use them and make none", () => {
  const { grants } = plan({ hidden: ["/box/secret"] });

  expect(rightsOf("/box/read/command", grants)).toBe(READ);
  expect(rightsOf("/box/write/stderr", grants)).toBe(READ | RIGHTS.writeFile);
});
