import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { useGuardedProject } from "../../../test/support/guarded-project.ts";
import { ProjectGuard } from "./project-guard.ts";
import { ReplacedFiles } from "./replaced-files.ts";

const { outside, project, put, read } = useGuardedProject();

describe("what is put back is kept", () => {
  const guardKeeping = () => new ProjectGuard(project, [], new ReplacedFiles(join(outside, "kept")));

  test("in a folder that the report names, for its owner alone", async () => {
    const guard = guardKeeping();
    put(".envrc", "edited by me");
    put(".git/hooks/post-merge", "new");
    rmSync(join(project, ".git/hooks/pre-commit"));

    const reports = await guard.check(async () => []);

    const [{ keptIn = "" } = {}] = reports;
    expect(reports.map(({ path, keptIn: folder }) => [path, folder])).toEqual([
      [".envrc", keptIn],
      [".git/hooks/post-merge", keptIn],
      [".git/hooks/pre-commit", undefined],
    ]);
    expect(readFileSync(join(keptIn, ".envrc"), "utf8")).toBe("edited by me");
    expect(readFileSync(join(keptIn, ".git/hooks/post-merge"), "utf8")).toBe("new");
    expect(statSync(join(keptIn, ".envrc")).mode & 0o777).toBe(0o600);
    expect(statSync(keptIn).mode & 0o777).toBe(0o700);
  });

  test("and a link is kept as a text, which nothing is written through", async () => {
    const guard = guardKeeping();
    rmSync(join(project, ".git/hooks"), { recursive: true });
    symlinkSync(outside, join(project, ".git/hooks"));

    const [{ keptIn = "" } = {}] = await guard.check(async () => []);

    expect(readFileSync(join(keptIn, ".git/hooks"), "utf8")).toBe(`A link to ${outside}\n`);
  });

  test("for the last 20 checks", async () => {
    const guard = guardKeeping();
    for (let time = 0; time < 25; time += 1) {
      put(".envrc", `edit ${time}`);
      await guard.check(async () => []);
    }

    const kept = readdirSync(join(outside, "kept"));
    const texts = kept.map((folder) => readFileSync(join(outside, "kept", folder, ".envrc"), "utf8"));
    expect(texts.sort()).toEqual(Array.from({ length: 20 }, (_, time) => `edit ${time + 5}`).sort());
  });

  test("unless that fails, which keeps nothing from being put back", async () => {
    writeFileSync(join(outside, "kept"), "a file");
    const guard = guardKeeping();
    put(".envrc", "edited by me");

    expect(await guard.check(async () => [])).toEqual([{ path: ".envrc", usedBy: "direnv", outcome: "restored" }]);
    expect(read(".envrc")).toBe("export A=1\n");
  });
});
