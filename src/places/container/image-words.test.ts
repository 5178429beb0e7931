import { expect, test } from "vitest";
import { codeOfThrown } from "../../../test/support/thrown.ts";
import { imageWords, keptLimits } from "./image-words.ts";

const container = {
  engine: "docker",
  image: "debian:12",
  workspace: "/home/me/api",
  name: "limpet-1",
  label: "abc",
  sandbox: undefined,
  limits: undefined,
  user: undefined,
} as const;

test("the workspace is mounted under its own path, and the container is removed with its first process", () => {
  const words = imageWords(container);

  expect(words.slice(0, 5)).toEqual(["docker", "run", "-d", "--rm", "--name"]);
  expect(words).toContain("type=bind,src=/home/me/api,dst=/home/me/api");
  expect(words).not.toContain("--network");
});

test("a sandbox has no network unless it is asked for, and may not change what is read-only", () => {
  const words = (sandbox: NonNullable<Parameters<typeof imageWords>[0]["sandbox"]>) =>
    imageWords({ ...container, sandbox });

  expect(words({ files: "workspace" }).join(" ")).toContain("--network none");
  expect(words({ files: "workspace", network: "on" })).not.toContain("--network");
  expect(words({ files: "read-only" })).toContain("type=bind,src=/home/me/api,dst=/home/me/api,readonly");
  expect(codeOfThrown(() => words({ files: "workspace", network: ["example.com"] }))).toBe("SANDBOX_UNAVAILABLE");
});

test("limits that the engine discards are not kept by the kernel", () => {
  const limits = { memory: 1e8, openFiles: 100, wallTime: 1000 };

  expect(keptLimits(limits, "")).toEqual({
    memory: { value: 1e8, by: "cgroup" },
    openFiles: { value: 100, by: "process" },
  });
  expect(keptLimits(limits, "WARNING: … Limitation discarded.")).toEqual({ openFiles: { value: 100, by: "process" } });
});

test.each(["/", "relative", "/with,comma"])("%j cannot be mounted", (workspace) => {
  expect(codeOfThrown(() => imageWords({ ...container, workspace }))).toBe("BAD_OPTION");
});
