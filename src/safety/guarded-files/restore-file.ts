/** Restores a guarded path. */
import { closeSync } from "node:fs";
import { type Folder, makeFolder, openFolder, putFile, putLink, remove, statAt, within } from "./folder-at.ts";
import type { GuardedChange, GuardedEntry } from "./guarded-entry.ts";

/** False if that is not possible, for example because its content was too large to keep. */
export function restoreFile(project: string, { path, was }: GuardedChange): boolean {
  const names = path.split("/");
  const name = names.pop() ?? "";
  try {
    const folder = openFolder(project);
    try {
      if (was) makeFolders(folder, names);
      const isPut = within(folder, names, (parent) => {
        put(parent, name, was);
        return true;
      });
      // Without its folder it is gone, too.
      return isPut ?? was === undefined;
    } finally {
      closeSync(folder.fd);
    }
  } catch {
    return false;
  }
}

function put(folder: Folder, name: string, was: GuardedEntry | undefined): void {
  if (was?.kind === "file" && was.bytes) putFile(folder, name, { bytes: was.bytes, mode: was.mode });
  else if (was?.kind === "link") putLink(folder, name, was.target);
  else if (was === undefined) remove(folder, name);
  else if (was.kind === "folder") {
    remove(folder, name);
    makeFolder(folder, name);
  } else throw new Error(`The content of ${name} is not known`);
}

/** Makes the folders of a path. Anything else that has the name of one is removed. */
function makeFolders(folder: Folder, [name, ...rest]: readonly string[]): void {
  if (name === undefined) return;
  if (!statAt(folder, name)?.isDirectory()) {
    remove(folder, name);
    makeFolder(folder, name);
  }
  within(folder, [name], (below) => makeFolders(below, rest));
}
