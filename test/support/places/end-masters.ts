/** Ends the control masters of ssh, which outlive their clients. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** `stateDirectory`: that of their clients. */
export function endMasters(stateDirectory: string): void {
  const directory = join(stateDirectory, "ssh");
  if (!existsSync(directory)) return;
  for (const socket of readdirSync(directory))
    spawnSync("ssh", ["-o", `ControlPath=${socket}`, "-O", "exit", "x"], { cwd: directory, timeout: 5_000 });
}
