import { join, sep } from "node:path";

/** Pure: whether a path is in a folder. Also true if both are the same. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : join(folder, sep));
}
