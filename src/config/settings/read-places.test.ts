import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { readPlaces } from "./read-places.ts";

const given = (value: unknown) => ({ value, line: 3, home: "/home/me" });

test("each kind of place is read, and ~ is the home directory", () => {
  const places = {
    build: { ssh: "me@build", config: "~/.ssh/build" },
    ci: { via: ["sudo", "-u", "ci"] },
    db: { docker: "pg" },
    web: { podman: "nginx" },
  };

  expect(readPlaces(given(places))).toEqual({ ...places, build: { ssh: "me@build", config: "/home/me/.ssh/build" } });
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
  { ssh: "me@build", color: true },
])("%j is not a place", (place) => {
  expect(codeOfThrown(() => readPlaces(given({ build: place })))).toBe("BAD_CONFIG");
});

test.each(["local", "7", "a/b", "-x", ""])("%j is not the name of a place", (name) => {
  expect(codeOfThrown(() => readPlaces(given({ [name]: { docker: "pg" } })))).toBe("BAD_CONFIG");
});
