/**
 * Opens files through the descriptor of their folder instead of by their path. Programs may replace any folder by a
 * link at any time, but a descriptor always refers to the folder that was opened. Its path is `/proc/self/fd/N`.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";

/** A folder that is open. */
export interface Folder {
  readonly fd: number;
}

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const NEW = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
const MAX_DEPTH = 64;
const TEMPORARY = ".limpet-restored";

/** Opens a folder. The links in its path must be resolved. */
export function openFolder(path: string): Folder {
  return { fd: openSync(path, FOLDER) };
}

/** Calls `use` with a folder below. Returns undefined if it does not exist or is a link. */
export function within<T>(folder: Folder, names: readonly string[], use: (folder: Folder) => T): T | undefined {
  const [name, ...rest] = names;
  if (name === undefined) return use(folder);
  let below: Folder;
  try {
    below = { fd: openSync(at(folder, name), FOLDER) };
  } catch {
    return undefined;
  }
  try {
    return within(below, rest, use);
  } finally {
    closeSync(below.fd);
  }
}

export function namesIn({ fd }: Folder): readonly string[] {
  return readdirSync(`/proc/self/fd/${fd}`);
}

/** Undefined if nothing has the name. */
export function statAt(folder: Folder, name: string): Stats | undefined {
  return lstatSync(at(folder, name), { throwIfNoEntry: false });
}

export function linkAt(folder: Folder, name: string): string {
  return readlinkSync(at(folder, name));
}

/** Undefined if it is not a file, or larger. */
export function bytesAt(folder: Folder, name: string, maxBytes: number): Buffer | undefined {
  const fd = openSync(at(folder, name), FILE);
  try {
    const facts = fstatSync(fd);
    return facts.isFile() && facts.size <= maxBytes ? readFileSync(fd) : undefined;
  } finally {
    closeSync(fd);
  }
}

/** Replaces whatever has the name. */
export function putFile(folder: Folder, name: string, { bytes, mode }: { bytes: Uint8Array; mode: number }): void {
  replace(folder, name, (temporary) => {
    const fd = openSync(temporary, NEW, mode);
    try {
      writeFileSync(fd, bytes);
      fchmodSync(fd, mode);
    } finally {
      closeSync(fd);
    }
  });
}

/** Replaces whatever has the name. */
export function putLink(folder: Folder, name: string, target: string): void {
  replace(folder, name, (temporary) => symlinkSync(target, temporary));
}

export function makeFolder(folder: Folder, name: string): void {
  mkdirSync(at(folder, name));
}

/** Removes what has the name, with all that is below it. Links are removed and never followed. */
export function remove(folder: Folder, name: string, depth = 0): void {
  const facts = statAt(folder, name);
  if (!facts) return;
  if (!facts.isDirectory()) {
    unlinkSync(at(folder, name));
    return;
  }
  if (depth > MAX_DEPTH) throw new Error(`${name} is too deep`);
  within(folder, [name], (below) => {
    for (const each of namesIn(below)) remove(below, each, depth + 1);
  });
  rmdirSync(at(folder, name));
}

function replace(folder: Folder, name: string, make: (temporary: string) => void): void {
  const temporary = at(folder, `${TEMPORARY}-${process.pid}`);
  try {
    unlinkSync(temporary);
  } catch {
    // The usual case.
  }
  if (statAt(folder, name)?.isDirectory()) remove(folder, name);
  make(temporary);
  // Does not follow a link at the end.
  renameSync(temporary, at(folder, name));
}

function at({ fd }: Folder, name: string): string {
  return `/proc/self/fd/${fd}/${name}`;
}
