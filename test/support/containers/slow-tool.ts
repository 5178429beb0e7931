/** A docker whose output arrives late, as on a busy machine. */
import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../watching.ts";

/** Passes on each piece of its input after a while, in order. */
const slowly = (ms: number) =>
  `process.stdin.on("data", (piece) => setTimeout(() => process.stdout.write(piece), ${ms}));`;

/** Until the end of the test, what programs in terminals of containers print takes this long to arrive. */
export function slowDownDocker(ms: number): void {
  const folder = temporaryDirectory();
  const { PATH } = process.env;
  const real = execFileSync("sh", ["-c", "command -v docker"], { encoding: "utf8" }).trim();
  writeFileSync(join(folder, "slowly.mjs"), slowly(ms));
  const script = [
    "#!/bin/bash",
    "set -o pipefail",
    `case " $* " in *" exec -it "*) "${real}" "$@" | "${process.execPath}" "${join(folder, "slowly.mjs")}" ;;`,
    `*) exec "${real}" "$@" ;; esac`,
  ];
  writeFileSync(join(folder, "docker"), `${script.join("\n")}\n`);
  chmodSync(join(folder, "docker"), 0o755);
  process.env["PATH"] = `${folder}:${PATH}`;
  onTestFinished(() => {
    process.env["PATH"] = PATH;
  });
}
