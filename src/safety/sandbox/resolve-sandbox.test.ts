import { expect, test } from "vitest";
import { narrowSandbox } from "./narrow-sandbox.ts";
import { resolveSandbox } from "./resolve-sandbox.ts";

/** As plain JavaScript passes them: each would give a program more rights than were meant. */
const MISTAKES = [
  { files: "readonly" },
  { files: "workspace", network: "of" },
  { files: "workspace", netwrk: "off" },
  { files: "read-only", with: "bwarp" },
];

test.each(MISTAKES)("no program starts in what is not a sandbox: %j", (mistake) => {
  expect(() => resolveSandbox(mistake as never, "/")).toThrow("which is not a sandbox");
});

test.each(MISTAKES)("a request for what is not a sandbox is refused, with and without a limit: %j", (mistake) => {
  for (const limit of [undefined, { files: "workspace" } as const])
    expect(() => narrowSandbox(limit, mistake as never)).toThrow("which is not a sandbox");
});

test("the fields that only a transport takes are no mistake", () => {
  const { files, network } = resolveSandbox({ files: "read-only", network: "off", project: "/", own: [] }, "/");

  expect([files, network]).toEqual(["read-only", "off"]);
});
