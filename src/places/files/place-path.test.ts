import { expect, test } from "vitest";
import { parsePlacePath } from "./place-path.ts";

test.each([
  ["build:notes.txt", { place: "build", path: "notes.txt" }],
  ["build:", { place: "build", path: "" }],
  ["build:a:b", { place: "build", path: "a:b" }],
  ["ssh:me@build:/tmp/x", { place: "ssh:me@build", path: "/tmp/x" }],
  ["ssh:me@[::1]:x", { place: "ssh:me@[::1]", path: "x" }],
  ["docker:pg:/var/lib", { place: "docker:pg", path: "/var/lib" }],
  ["./a:b", undefined],
  ["notes.txt", undefined],
  [":x", undefined],
  ["", undefined],
])("%j is read as %j", (text, read) => {
  expect(parsePlacePath(text)).toEqual(read);
});
