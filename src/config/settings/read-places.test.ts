import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { readPlaces } from "./read-places.ts";

const given = (value: unknown) => ({ value, line: 3, home: "/home/me" });

test("each kind of place is read, and ~ is the home directory", () => {
  const places = {
    build: { ssh: "me@build", config: "~/.ssh/build" },
    ci: { via: ["sudo", "-u", "ci"] },
    db: { docker: "pg" },
    web: { podman: "nginx", bringNode: "~/node" },
    clean: { image: "debian:12@sha256:0a", engine: "podman", reuse: true, workspace: "~/api" },
    dev: { devcontainer: "~/api", bringNode: true },
  };

  expect(readPlaces(given(places))).toEqual({
    build: { ssh: "me@build", config: "/home/me/.ssh/build" },
    ci: { via: ["sudo", "-u", "ci"] },
    db: { docker: "pg" },
    web: { podman: "nginx", bringNode: "/home/me/node" },
    clean: { image: "debian:12@sha256:0a", engine: "podman", reuse: true, workspace: "/home/me/api" },
    dev: { devcontainer: "/home/me/api", bringNode: true },
  });
});

test.each([
  {},
  null,
  "docker:pg",
  { ssh: 1 },
  { via: [] },
  { via: ["a", 1] },
  { docker: "pg", podman: "pg" },
  { docker: "pg", config: "x" },
  { docker: "pg", bringNode: 1 },
  { docker: "pg", reuse: true },
  { image: "debian", engine: "lxc" },
  { image: "debian", bringNode: true },
  { ssh: "me@build", color: true },
])("%j is not a place", (place) => {
  expect(codeOfThrown(() => readPlaces(given({ build: place })))).toBe("BAD_CONFIG");
});

test.each(["local", "7", "a/b", "-x", ""])("%j is not the name of a place", (name) => {
  expect(codeOfThrown(() => readPlaces(given({ [name]: { docker: "pg" } })))).toBe("BAD_CONFIG");
});
