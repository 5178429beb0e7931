import { expect, test } from "vitest";
import { bwrapArguments, planMounts } from "./plan-mounts.ts";

const empty = { directory: "/tmp/own/empty", file: "/tmp/own/empty-file" };
const given = { writable: [], pinned: [], locked: [], hidden: [], empty };

test("what is around others is mounted before them", () => {
  const mounts = planMounts({
    ...given,
    writable: ["/home/ada/work", "/tmp/own"],
    pinned: ["/home/ada/work/.git"],
    locked: ["/home/ada/work/.git/hooks"],
    hidden: [{ path: "/home/ada/.ssh", isDirectory: true }],
  });

  expect(mounts.map(({ path, isWritable }) => [path, isWritable])).toEqual([
    ["/tmp/own", true],
    ["/home/ada/work", true],
    ["/home/ada/.ssh", false],
    ["/home/ada/work/.git", true],
    ["/home/ada/work/.git/hooks", false],
  ]);
});

test("what is hidden shows as empty, once, and devices are left as they are", () => {
  const hidden = [
    { path: "/dev", isDirectory: true },
    { path: "/home/ada/.netrc", isDirectory: false },
    { path: "/home/ada/.config/limpet", isDirectory: true },
    { path: "/home/ada/.config/limpet/state", isDirectory: true },
  ];

  expect(planMounts({ ...given, hidden })).toEqual([
    { source: empty.file, path: "/home/ada/.netrc", isWritable: false },
    { source: empty.directory, path: "/home/ada/.config/limpet", isWritable: false },
  ]);
});

test("everything is read-only, except for what is mounted otherwise", () => {
  const mounts = [
    { source: "/a", path: "/a", isWritable: true },
    { source: "/e", path: "/b", isWritable: false },
  ];

  expect(bwrapArguments(mounts, { hasNetwork: false }).join(" ")).toBe(
    "--unshare-user --unshare-ipc --unshare-net --ro-bind / / --dev-bind /dev /dev --bind /a /a --ro-bind /e /b --info-fd 3 -- cat",
  );
  expect(bwrapArguments([], { hasNetwork: true })).not.toContain("--unshare-net");
});
