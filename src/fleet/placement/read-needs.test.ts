import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { readNeeds } from "./read-needs.ts";

test.each([
  [undefined, undefined, undefined],
  ["gpu && zone=a", "gpu && zone=a", undefined],
  ["gpu,image:debian:12", "gpu", "debian:12"],
  ["image:ghcr.io/x/y@sha256:00", undefined, "ghcr.io/x/y@sha256:00"],
  ["", "", undefined],
])("%j needs the labels %j and the image %j", (text, labels, image) => {
  expect(readNeeds(text)).toEqual({ labels, image });
});

test("what is not an image is refused", () => {
  expect(codeOfThrown(() => readNeeds("gpu,image:--privileged"))).toBe("BAD_OPTION");
});
