import { expect, test } from "vitest";
import { type Entry, enteringCommand, keepingCommand } from "./entering-command.ts";

const tools = { nsenter: "/bin/nsenter", setpriv: "/bin/setpriv", env: "/bin/env", cat: "/bin/cat" };
const entry: Entry = { tools, isRoot: false, kinds: ["user", "mnt", "ipc", "net"] };
const given = { program: "make", args: ["-j", "2 3"], cwd: "/home/ada/work", env: { PATH: "/bin", TERM: "xterm" } };
const ENTERING = "--target=7 --user --mount --ipc --net --preserve-credentials --wdns=/home/ada/work --";

test("a program enters the namespaces of a process, and starts where it should", () => {
  expect(enteringCommand(given, 7, entry)).toEqual({
    program: "/bin/nsenter",
    args: [...ENTERING.split(" "), "make", "-j", "2 3"],
    cwd: "/",
    env: given.env,
  });
});

test("root gives up its capabilities before its program starts", () => {
  const { args } = enteringCommand(given, 7, { ...entry, isRoot: true });

  expect(args.join(" ")).toBe(`${ENTERING} /bin/setpriv --bounding-set=-all --inh-caps=-all -- make -j 2 3`);
});

test("variables that load code are set in the namespaces, not before", () => {
  const env = { ...given.env, LD_PRELOAD: "/home/ada/work/x.so", GCONV_PATH: "." };
  const found = enteringCommand({ ...given, env }, 7, { ...entry, isRoot: true });

  expect(found.env).toEqual(given.env);
  expect(found.args.slice(ENTERING.split(" ").length)).toEqual([
    ...["/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--"],
    ...["/bin/env", "LD_PRELOAD=/home/ada/work/x.so", "GCONV_PATH=.", "make", "-j", "2 3"],
  ]);
});

test("a program whose name looks like a variable is still a program", () => {
  const { args } = enteringCommand({ ...given, program: "./a=b", args: [], env: { LD_DEBUG: "all" } }, 7, entry);

  expect(args.slice(-6)).toEqual(["/bin/env", "LD_DEBUG=all", "/bin/setpriv", "--no-new-privs", "--", "./a=b"]);
});

test("the first process enters by descriptors", () => {
  expect(keepingCommand({ ...entry, kinds: ["user", "mnt", "ipc"] })).toEqual({
    program: "/bin/nsenter",
    args: [
      ...["--user=/proc/self/fd/3", "--mount=/proc/self/fd/4", "--ipc=/proc/self/fd/5"],
      ...["--preserve-credentials", "--", "/bin/cat"],
    ],
    cwd: "/",
    env: {},
  });
});
