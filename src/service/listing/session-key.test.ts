import { expect, test } from "vitest";
import { keyOf, parseSessionKey } from "./session-key.ts";

test.each([
  [7, { place: null, key: 7 }],
  ["7", { place: null, key: "7" }],
  ["dev", { place: null, key: "dev" }],
  ["build/7", { place: "build", key: "7" }],
  ["build/dev server", { place: "build", key: "dev server" }],
  ["ssh:me@build/7", { place: "ssh:me@build", key: "7" }],
  ["image:registry/team/app@sha256:00/dev", { place: "image:registry/team/app@sha256:00", key: "dev" }],
  ["build/", { place: "build", key: "" }],
  ["/bin/bash", { place: null, key: "/bin/bash" }],
  ["build//bin/bash", { place: "build", key: "/bin/bash" }],
])("%j is read as %j", (key, read) => {
  expect(parseSessionKey(key)).toEqual(read);
});

test.each([
  [{ id: 7, place: null }, 7],
  [{ id: 7, place: "build" }, "build/7"],
  [{ id: 7, place: "ssh:me@build" }, "ssh:me@build/7"],
])("%j is written as %j", (session, key) => {
  expect(keyOf(session)).toBe(key);
});
