import { expect, test } from "vitest";
import { codeOfThrown } from "../../test/support/thrown.ts";
import { argvOf, placeOf } from "./place-address.ts";

const named = { build: { ssh: "me@build" }, ci: { via: ["sudo", "-u", "ci"] } } as const;

test("an address, a name and a setting are places", () => {
  expect(placeOf("ssh:other", named)).toEqual({ name: "ssh:other", setting: { ssh: "other" } });
  expect(placeOf("build", named)).toEqual({ name: "build", setting: { ssh: "me@build" } });
  expect(placeOf({ via: ["env"] }, named)).toEqual({ name: "env", setting: { via: ["env"] } });
});

test.each(["nowhere", "ssh:", "ssh:-x", "constructor"])("%j is not a place", (address) => {
  expect(codeOfThrown(() => placeOf(address, named))).toBe("BAD_OPTION");
});

test("a command gets the script as one argument, without a shell on this machine", () => {
  const argv = argvOf(named.ci, "abc");

  expect(argv.slice(0, 5)).toEqual(["sudo", "-u", "ci", "/bin/sh", "-c"]);
  expect(argv).toHaveLength(6);
});
