/** A root file system with nothing but busybox, as a tar file. */
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";

const DIRECTORIES = ["bin", "dev", "etc", "lib", "lib64", "proc", "root", "sys", "tmp", "usr/bin", "usr/lib"];

export function busyboxTar(folder) {
  const root = join(folder, "root");
  for (const name of DIRECTORIES) mkdirSync(join(root, name), { recursive: true });
  copyFileSync("/bin/busybox", join(root, "bin", "busybox"));
  const commands = execFileSync("/bin/busybox", ["--list"], { encoding: "utf8" }).split("\n");
  for (const name of commands)
    if (/^[\w[-]+$/.test(name) && name !== "busybox") symlinkSync("busybox", join(root, "bin", name));
  const tar = join(folder, "root.tar");
  execFileSync("tar", ["-C", root, "-cf", tar, "."]);
  return tar;
}
