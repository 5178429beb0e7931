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
  const argv = argvOf({ name: "ci", setting: named.ci }, "abc");

  expect(argv.slice(0, 5)).toEqual(["sudo", "-u", "ci", "/bin/sh", "-c"]);
  expect(argv).toHaveLength(6);
});

test.each([
  [{ docker: "pg" }, ["docker", "exec", "-i", "pg", "/bin/sh", "-c"]],
  [{ podman: "pg" }, ["podman", "exec", "-i", "pg", "/bin/sh", "-c"]],
  [{ devcontainer: "/api" }, ["devcontainer", "exec", "--workspace-folder", "/api", "/bin/sh", "-c"]],
] as const)("%j runs the script without a terminal", (setting, words) => {
  const argv = argvOf({ name: "there", setting }, "abc");

  expect(argv.slice(0, -1)).toEqual(words);
});
