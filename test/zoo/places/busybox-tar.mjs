/** A root file system with nothing but busybox, as a tar file. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const COMMANDS = [
  "sh",
  "ash",
  "cat",
  "sleep",
  "vi",
  "echo",
  "expr",
  "ls",
  "read",
  "stty",
  "more",
  "less",
  "seq",
  "true",
];

export function busyboxTar(folder) {
  const root = join(folder, "root");
  for (const name of ["bin", "tmp", "etc", "root"]) mkdirSync(join(root, name), { recursive: true });
  copyFileSync("/bin/busybox", join(root, "bin", "busybox"));
  for (const name of COMMANDS) symlinkSync("busybox", join(root, "bin", name));
  const tar = join(folder, "root.tar");
  execFileSync("tar", ["-C", root, "-cf", tar, "."]);
  return tar;
}
