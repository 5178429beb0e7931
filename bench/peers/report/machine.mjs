/** What the figures were measured on. */
import { readFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";

export function describeMachine() {
  const system = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync("/etc/os-release", "utf8"))?.[1] ?? "Linux";
  return {
    processors: cpus().length,
    processor: cpus()[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    system,
    node: process.version,
  };
}
