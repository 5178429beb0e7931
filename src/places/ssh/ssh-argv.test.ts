import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { controlArgv, loginArgv, masterArgv, requireDestination, sshArgv } from "./ssh-argv.ts";

const target = { destination: "me@build" };
const shared = { kind: "shared", socket: "abc.%C" } as const;
const withoutForwarding = expect.arrayContaining(["ForwardAgent=no", "ForwardX11=no", "ClearAllForwardings=yes"]);

test("the destination follows the options, and the command is one word", () => {
  const argv = sshArgv(target, shared, "exec true");

  expect(argv.slice(0, 2)).toEqual(["ssh", "-T"]);
  expect(argv.slice(-3)).toEqual(["--", "me@build", "exec true"]);
});

test("nothing is forwarded by any call, and only a login with a person asks", () => {
  for (const argv of [sshArgv(target, shared, "true"), loginArgv(target, "abc"), masterArgv(target, "abc")])
    expect(argv).toEqual(withoutForwarding);

  expect(sshArgv(target, { kind: "user" }, "true")).toContain("BatchMode=yes");
  expect(loginArgv(target, "abc")).toContain("BatchMode=no");
});

test("host keys are the business of ssh and its user", () => {
  for (const argv of [sshArgv(target, shared, "true"), loginArgv(target, "abc"), masterArgv(target, "abc")])
    expect(argv.join(" ")).not.toMatch(/StrictHostKeyChecking|KnownHosts/);
});

test("our control master has a socket of its own, and that of the user is never made by us", () => {
  const own = sshArgv(target, shared, "true");
  const users = sshArgv(target, { kind: "user" }, "true");

  expect(own).toEqual(expect.arrayContaining(["ControlMaster=auto", "ControlPath=abc.%C", "ControlPersist=600"]));
  expect(users).toContain("ControlMaster=no");
  expect(users.join(" ")).not.toContain("ControlPath");
});

test("a control master is asked by its socket, with the user's configuration", () => {
  expect(controlArgv("check", { destination: "build", config: "/c" }, "abc")).toEqual([
    ...["ssh", "-O", "check", "-T", "-F", "/c", "-o", "BatchMode=yes", "-o", "ControlPath=abc", "--", "build"],
  ]);
});

test.each(["", "-oProxyCommand=x", "a b", "a\nb", "a;b", "$(x)", "a'b", "`x`", "x".repeat(300)])(
  "%j is not a destination",
  (destination) => {
    expect(codeOfThrown(() => requireDestination(destination))).toBe("BAD_OPTION");
  },
);

test.each(["build", "me@build", "10.0.0.1", "me@[::1]", "build-1.example.org"])(
  "%j is a destination",
  (destination) => {
    expect(codeOfThrown(() => requireDestination(destination))).toBeUndefined();
  },
);
