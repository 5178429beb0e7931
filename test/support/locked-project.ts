/** A repository with files that run code later, which namespaces lock, and a home with secrets, which they hide. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/** `outside`: the directory that the project is in. The home is that of this process. */
export function makeLockedProject(outside: string): void {
  const project = join(outside, "project");
  for (const folder of [".ssh", ".config/gh"]) mkdirSync(join(homedir(), folder), { recursive: true });
  writeFileSync(join(homedir(), ".ssh", "id_test"), "the key");
  writeFileSync(join(homedir(), ".npmrc"), "//registry.example/:_authToken=secret");
  writeFileSync(join(outside, "theirs"), "untouched", { mode: 0o644 });
  mkdirSync(join(project, ".vscode"), { recursive: true });
  execFileSync("git", ["init", "--quiet", project]);
  writeFileSync(join(project, ".vscode", "tasks.json"), "{}");
  writeFileSync(join(project, ".envrc"), "export A=1\n");
}
