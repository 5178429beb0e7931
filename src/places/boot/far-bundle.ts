/**
 * The part of this package that a place needs to run a host: the CLI, the screen library, and the addon for its
 * machine. A bundle is named by the SHA-256 of its files, so a place that has it needs no other check.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompressSync, constants } from "node:zlib";
import { packageRoot } from "../../base/built-file.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeDirectorySync } from "../../base/make-directory.ts";
import { type BundledFile, packFiles } from "./bundle-format.ts";
import type { FarFacts } from "./far-facts.ts";

/** Level 6 takes about a tenth of a second, and makes a bundle that is a tenth smaller than at level 4. */
const LEVEL = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

type Machine = Pick<FarFacts, "arch" | "libc">;

export interface FarBundle {
  /** The SHA-256 of the uncompressed files. */
  readonly hash: string;
  /** The compressed bundle. */
  data(): Promise<Buffer>;
}

/** `cache`: a directory for compressed bundles. It is created if it does not exist. */
function farBundle(machine: Machine, cache: string): FarBundle {
  const packed = packFiles(filesFor(machine));
  const hash = createHash("sha256").update(packed).digest("hex");
  return { hash, data: async () => cached(packed, { cache, hash }) ?? (await compressed(packed, { cache, hash })) };
}

/**
 * Returns a function that makes the bundle for a machine. The bundle for a machine like this one is prepared at once,
 * while the command logs in, because most places need that one.
 */
export function farBundles(cache: string): (machine: Machine) => FarBundle {
  const here: Machine = { arch: process.arch, libc: "glibc" };
  let ready: FarBundle | undefined;
  try {
    ready = farBundle(here, cache);
  } catch {
    // This machine does not have the files, such as one with musl. The bundle is made when the machine of the place is
    // known.
  }
  return (machine) =>
    ready && machine.arch === here.arch && machine.libc === here.libc ? ready : farBundle(machine, cache);
}

/** The program that a place runs before it has a bundle. */
export function farBoot(): Buffer {
  return readFileSync(join(ownRoot(), "dist/bin/far-boot.js"));
}

function ownRoot(): string {
  const root = packageRoot();
  if (root !== undefined) return root;
  throw new LimpetError(
    "HOST_START_FAILED",
    "The files of limpet were not found, so they cannot be sent to a place. If a bundler built this program, mark limpet as external.",
  );
}

function filesFor(machine: Machine): readonly BundledFile[] {
  const root = ownRoot();
  const bin = readdirSync(join(root, "dist/bin")).map((name) => `dist/bin/${name}`);
  return [...["package.json", ...bin].map((path) => fileAt(root, path)), ...screenFiles(), ...addonFiles(machine)];
}

function screenFiles(): readonly BundledFile[] {
  const name = "@xterm/headless";
  const root = packageDirectory(name);
  return ["package.json", "lib-headless/xterm-headless.js"].map((path) => moved(fileAt(root, path), name));
}

/** The addon's package has one file per C library. */
function addonFiles({ arch, libc }: Machine): readonly BundledFile[] {
  const name = `@koromix/koffi-linux-${arch}`;
  const addon = `${libc === "musl" ? "musl" : "linux"}_${arch}/koffi.node`;
  try {
    const root = packageDirectory(name);
    return ["package.json", "index.js", addon].map((path) => moved(fileAt(root, path), name));
  } catch (cause) {
    throw new LimpetError(
      "PLACE_UNSUPPORTED",
      `The place is linux/${arch} with ${libc}, and ${name} is not installed here. Install it beside limpet with: npm install --force ${name}.`,
      { cause },
    );
  }
}

function packageDirectory(name: string): string {
  const require = createRequire(import.meta.url);
  for (const folder of require.resolve.paths(name) ?? []) {
    const found = join(folder, name);
    if (existsSync(join(found, "package.json"))) return found;
  }
  throw new Error(`${name} is not installed.`);
}

function fileAt(root: string, path: string): BundledFile {
  return { path, content: readFileSync(join(root, path)) };
}

function moved({ path, content }: BundledFile, name: string): BundledFile {
  return { path: `node_modules/${name}/${path}`, content };
}

interface CachedAs {
  readonly cache: string;
  readonly hash: string;
}

/** Undefined if the cache does not have the bundle, or if the file is damaged: the place would refuse it each time. */
function cached(packed: Buffer, { cache, hash }: CachedAs): Buffer | undefined {
  try {
    const data = readFileSync(join(cache, hash));
    return brotliDecompressSync(data).equals(packed) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** Compresses the bundle, and stores it in the cache for the next place. */
async function compressed(packed: Buffer, { cache, hash }: CachedAs): Promise<Buffer> {
  // Created before the work, so that a directory that is deleted meanwhile is not created again.
  const isMade = makeCache(cache);
  const data = await promisify(brotliCompress)(packed, LEVEL);
  if (!isMade) return data;
  try {
    for (const name of readdirSync(cache).slice(MAX_CACHED)) rmSync(join(cache, name), { force: true });
    const file = join(cache, hash);
    writeFileSync(`${file}.${process.pid}`, data, { mode: 0o600 });
    renameSync(`${file}.${process.pid}`, file);
  } catch {
    // Without a cache, the next place needs another compression.
  }
  return data;
}

function makeCache(path: string): boolean {
  try {
    makeDirectorySync(dirname(path), 0o700);
    makeDirectorySync(path, 0o700);
    return true;
  } catch {
    return false;
  }
}

/** The most older bundles that the cache keeps: one for each machine and C library. */
const MAX_CACHED = 4;
