import { expect, test } from "vitest";
import { codeOfThrown } from "../../test/support/thrown.ts";
import { argvOf, placeOf } from "./place-address.ts";

const named = { build: { ssh: "me@build" }, ci: { via: ["sudo", "-u", "ci"] } } as const;

test("an address, a name and a setting are places", () => {
  expect(placeOf("ssh:other", named)).toEqual({ name: "ssh:other", setting: { ssh: "other" } });
  expect(placeOf("build", named)).toEqual({ name: "build", setting: { ssh: "me@build" } });
  expect(placeOf({ via: ["env"] }, named)).toEqual({ name: "env", setting: { via: ["env"] } });
  expect(placeOf("docker:pg", named)).toEqual({ name: "docker:pg", setting: { docker: "pg" } });
  const image = "localhost:5000/x/debian:12@sha256:0a";
  expect(placeOf(`image:${image}`, named)).toEqual({ name: `image:${image}`, setting: { image } });
  expect(placeOf({ podman: "pg" }, named)).toEqual({ name: "podman:pg", setting: { podman: "pg" } });
});

test.each([
  "nowhere",
  "ssh:",
  "ssh:-x",
  "constructor",
  "constructor:x",
  "docker:",
  "docker:--privileged",
  "docker:pg -v /:/x",
  "docker:x'; id; '",
  "podman:$(id)",
  "podman:-v",
  "image:",
  "image:--privileged",
  "image:debian; id",
])("%j is not a place", (address) => {
  expect(codeOfThrown(() => placeOf(address, named))).toBe("BAD_OPTION");
});

test("a command gets the script as one argument, without a shell on this machine", () => {
  const argv = argvOf(placeOf("ci", named), "abc");

  expect(argv.slice(0, 5)).toEqual(["sudo", "-u", "ci", "/bin/sh", "-c"]);
  expect(argv).toHaveLength(6);
});

test.each(["docker", "podman"])("%s runs the script in a container, without a terminal", (engine) => {
  const argv = argvOf(placeOf(`${engine}:pg`, named), "abc");

  expect(argv.slice(0, 6)).toEqual([engine, "exec", "-i", "pg", "/bin/sh", "-c"]);
  expect(argv).toHaveLength(7);
});
