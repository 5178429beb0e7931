/** Pure: what the programs of a sandbox see of the file system, as mounts on top of a read-only one. */
import { isBelow } from "../is-below.ts";

/** `path` shows what is at `source`. */
export interface Mount {
  readonly source: string;
  readonly path: string;
  readonly isWritable: boolean;
}

export interface MountOptions {
  readonly writable: readonly string[];
  /** Folders in writable ones that cannot be moved or removed. */
  readonly pinned: readonly string[];
  /** Paths in writable folders that cannot be changed. */
  readonly locked: readonly string[];
  readonly hidden: readonly { readonly path: string; readonly isDirectory: boolean }[];
  /** What is shown instead of something hidden. */
  readonly empty: { readonly directory: string; readonly file: string };
}

/** Devices are left to the rules about files: a terminal that is opened later must be there. */
const DEVICES = "/dev";

/** In the order in which they are made: a folder comes before what is in it. */
export function planMounts({ writable, pinned, locked, hidden, empty }: MountOptions): readonly Mount[] {
  const outermost = hidden.filter(
    ({ path }) => path !== DEVICES && !hidden.some((other) => other.path !== path && isBelow(path, other.path)),
  );
  const own = (isWritable: boolean) => (path: string) => ({ source: path, path, isWritable });
  const mounts: readonly Mount[] = [
    ...[...writable, ...pinned].map(own(true)),
    ...locked.map(own(false)),
    ...outermost.map(({ path, isDirectory }) => ({
      source: isDirectory ? empty.directory : empty.file,
      path,
      isWritable: false,
    })),
  ];
  return [...mounts].sort((one, other) => one.path.length - other.path.length);
}

/** The arguments of bwrap. It writes about itself to descriptor 3. */
export function bwrapArguments(mounts: readonly Mount[], { hasNetwork }: { readonly hasNetwork: boolean }): string[] {
  return [
    ...["--unshare-user", "--unshare-ipc", ...(hasNetwork ? [] : ["--unshare-net"])],
    ...["--ro-bind", "/", "/", "--dev-bind", DEVICES, DEVICES],
    ...mounts.flatMap(({ source, path, isWritable }) => [isWritable ? "--bind" : "--ro-bind", source, path]),
    ...["--info-fd", "3", "--", "cat"],
  ];
}
