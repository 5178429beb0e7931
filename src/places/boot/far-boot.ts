/**
 * Runs at a place, in the Node that was found there. Reports facts, unpacks a bundle if the client sends one, and then
 * runs `limpet host connect` from that bundle. The build makes one file of it, which the client sends.
 *
 * Reads stdin with blocking calls, and not a byte more than it needs: the following bytes are for the host.
 */
import { createHash, randomBytes } from "node:crypto";
import {
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { makeDirectorySync } from "../../base/make-directory.ts";
import { prefaceOf } from "./bootstrap-script.ts";
import { unpackFiles } from "./bundle-format.ts";
import type { FarFacts, FarOrder } from "./far-facts.ts";

/** The current one, the one before it, and two of other clients. */
const MAX_BUNDLES = 4;
const EAGAIN = -11;
const ORDER_BYTES = 65_536;

const nonce = process.argv[3] ?? "";

try {
  boot();
} catch (error) {
  say(`failed ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
}

function boot(): void {
  const directory = bundleDirectory();
  makeDirectorySync(directory, 0o700);
  say(`facts ${JSON.stringify(facts(directory))}`);
  const { hash, bytes, args } = JSON.parse(readLine()) as FarOrder;
  const bundle = join(directory, hash);
  if (bytes > 0) {
    unpack(readExactly(bytes), { hash, bundle });
    say("unpacked");
  }
  const now = new Date();
  utimesSync(bundle, now, now);
  removeOld(directory, hash);
  const main = join(bundle, "dist/bin/main.js");
  process.argv = [process.execPath, main, ...args];
  createRequire(main)(main);
}

function say(text: string): void {
  writeSync(1, `${prefaceOf(nonce)}${text.replaceAll("\n", " ")}\n`);
}

function facts(directory: string): FarFacts {
  return {
    platform: process.platform,
    arch: process.arch,
    libc: /\/ld-musl-/.test(readFileSync("/proc/self/maps", "utf8")) ? "musl" : "glibc",
    node: process.version,
    directory,
    bundles: readdirSync(directory).filter((name) => /^[0-9a-f]{64}$/.test(name)),
  };
}

function bundleDirectory(): string {
  // biome-ignore lint/style/noProcessEnv: It runs elsewhere, before any of our code.
  const given = process.env["XDG_DATA_HOME"] ?? "";
  return join(isAbsolute(given) ? given : join(homedir(), ".local/share"), "limpet/bundles");
}

/** Unpacks into a temporary directory, then renames it, so that a bundle directory is always complete. */
function unpack(data: Buffer, { hash, bundle }: { readonly hash: string; readonly bundle: string }): void {
  const packed = brotliDecompressSync(data);
  const found = createHash("sha256").update(packed).digest("hex");
  if (found !== hash) throw new Error(`the bundle arrived damaged: its SHA-256 is ${found}, not ${hash}`);
  const beside = `${bundle}.${randomBytes(6).toString("hex")}`;
  try {
    for (const { path, content } of unpackFiles(packed)) {
      const file = join(beside, path);
      makeDirectorySync(dirname(file), 0o700);
      writeFileSync(file, content, { mode: 0o600 });
    }
    renameSync(beside, bundle);
  } catch (error) {
    rmSync(beside, { recursive: true, force: true });
    // Another client may have unpacked the same bundle first.
    if (!isDirectory(bundle)) throw error;
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** Removes old bundles. Keeps the latest ones, and those that a running host uses, because it may still load files. */
function removeOld(directory: string, current: string): void {
  const others = readdirSync(directory)
    .filter((name) => name !== current)
    .map((name) => ({ name, usedMs: statSync(join(directory, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.usedMs - a.usedMs)
    .slice(MAX_BUNDLES - 1);
  if (others.length === 0) return;
  const inUse = commandLines();
  for (const { name } of others) {
    if (!inUse.includes(name)) rmSync(join(directory, name), { recursive: true, force: true });
  }
}

function commandLines(): string {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .join("\n");
}

function readLine(): string {
  const bytes: number[] = [];
  while (bytes.length < ORDER_BYTES) {
    const [byte = 0x0a] = readExactly(1);
    if (byte === 0x0a) return Buffer.from(bytes).toString();
    bytes.push(byte);
  }
  throw new Error("the order is too long");
}

function readExactly(count: number): Buffer {
  const data = Buffer.alloc(count);
  for (let at = 0; at < count; ) {
    const read = readSome(data, at);
    if (read === 0) process.exit(1);
    at += read;
  }
  return data;
}

function readSome(data: Buffer, at: number): number {
  for (;;) {
    try {
      return readSync(0, data, at, data.length - at, null);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).errno !== EAGAIN) throw error;
      // Stdin is non-blocking here, so wait a little.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
