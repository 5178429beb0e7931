import { sep } from "node:path";

/** Pure: whether a path is in a folder. Also true if both are the same. Both are absolute and without `..`. */
export function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}
