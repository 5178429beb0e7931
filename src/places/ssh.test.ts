import { expect, test } from "vitest";
import { codeOfThrown } from "../../test/support/thrown.ts";
import { requireDestination, sshArgv } from "./ssh.ts";

test("the destination follows the options, and the command is one word", () => {
  const argv = sshArgv("me@build", "exec true");

  expect(argv.slice(0, 2)).toEqual(["ssh", "-T"]);
  expect(argv.slice(-3)).toEqual(["--", "me@build", "exec true"]);
});

test("nothing is forwarded, and nobody is asked", () => {
  expect(sshArgv("build", "true")).toEqual(
    expect.arrayContaining(["BatchMode=yes", "ForwardAgent=no", "ForwardX11=no", "ClearAllForwardings=yes"]),
  );
});

test("host keys are the business of ssh and its user", () => {
  expect(sshArgv("build", "true").join(" ")).not.toMatch(/StrictHostKeyChecking|KnownHosts/);
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
