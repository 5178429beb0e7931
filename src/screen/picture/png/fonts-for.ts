/** The fonts of a picture: ours, and those of the system for characters that ours lacks. */
import { existsSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MAX_FONT_BYTES, MAX_FONT_FILES } from "../../../base/limits.ts";
import { LimpetError } from "../../../base/limpet-error.ts";
import { type Coverage, coverageOf } from "./font-coverage.ts";

const OWN = ["DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf"] as const;
const FONT_FILE = /\.(?:ttf|otf|ttc)$/iu;
/** How deep distributions nest their fonts. */
const MAX_DEPTH = 4;

interface SystemFont {
  readonly file: string;
  readonly coverage: Coverage;
}

export interface FontSet {
  /** Whether one of them has all characters of a cell. */
  readonly hasGlyph: (text: string) => boolean;
  readonly files: readonly Uint8Array[];
}

let own: Promise<{ readonly files: readonly Uint8Array[]; readonly coverage: Coverage }> | undefined;
let system: Promise<readonly SystemFont[]> | undefined;

/** Fonts for these texts. The system is searched once, and only if our font lacks a character. */
export async function fontsFor(texts: Iterable<string>): Promise<FontSet> {
  own ??= loadOwn();
  const { files, coverage } = await own;
  const missing = new Set<number>();
  for (const text of texts) for (const code of codesOf(text)) if (!coverage.has(code)) missing.add(code);
  const chosen = missing.size === 0 ? [] : await choose(missing);
  const coverages = [coverage, ...chosen.map((font) => font.coverage)];
  return {
    hasGlyph: (text) => codesOf(text).every((code) => coverages.some((one) => one.has(code))),
    files: [...files, ...(await Promise.all(chosen.map(({ file }) => readFile(file))))],
  };
}

/** Joiners and selectors draw nothing by themselves. */
function codesOf(text: string): readonly number[] {
  return Array.from(text, (char) => char.codePointAt(0) ?? 0).filter(
    (code) => code !== 0x200d && !(code >= 0xfe00 && code <= 0xfe0f),
  );
}

/** As few fonts as cover what can be covered: each time the one that has most of what is still missing. */
async function choose(missing: ReadonlySet<number>): Promise<readonly SystemFont[]> {
  system ??= findSystemFonts();
  const left = new Set(missing);
  const chosen: SystemFont[] = [];
  const candidates = [...(await system)];
  while (left.size > 0 && chosen.length < MAX_DEPTH) {
    const counted = candidates.map((font) => ({
      font,
      count: [...left].filter((code) => font.coverage.has(code)).length,
    }));
    const best = counted.reduce((one, other) => (other.count > one.count ? other : one), {
      font: undefined,
      count: 0,
    } as {
      font: SystemFont | undefined;
      count: number;
    });
    if (best.font === undefined) break;
    chosen.push(best.font);
    for (const code of left) if (best.font.coverage.has(code)) left.delete(code);
  }
  return chosen;
}

async function loadOwn(): Promise<{ readonly files: readonly Uint8Array[]; readonly coverage: Coverage }> {
  const folder = ownFolder();
  const [regular] = OWN;
  const coverage = await coverageOf(join(folder, regular));
  if (coverage === undefined) throw noFonts(folder);
  return { files: await Promise.all(OWN.map((name) => readFile(join(folder, name)))), coverage };
}

/** Beside the bundled files in dist/bin; while developing, in the package that they are copied from. */
function ownFolder(): string {
  const beside = fileURLToPath(new URL("../fonts/", import.meta.url));
  if (existsSync(join(beside, OWN[0]))) return beside;
  try {
    return join(dirname(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json")), "ttf");
  } catch (cause) {
    throw noFonts(beside, cause);
  }
}

function noFonts(where: string, cause?: unknown): LimpetError {
  return new LimpetError(
    "PICTURE_UNAVAILABLE",
    `The fonts of this package are not in ${where}. Reinstall the package, or ask for SVG.`,
    { cause },
  );
}

async function findSystemFonts(): Promise<readonly SystemFont[]> {
  const folders = [
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    join(homedir(), ".local/share/fonts"),
    join(homedir(), ".fonts"),
  ];
  const files: string[] = [];
  for (const folder of folders) await collect(folder, files, 0);
  const found: SystemFont[] = [];
  for (const file of files.sort()) {
    const coverage = await coverageOf(file);
    if (coverage !== undefined) found.push({ file, coverage });
  }
  return found;
}

async function collect(folder: string, files: string[], depth: number): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (files.length >= MAX_FONT_FILES) return;
    if (entry.isDirectory() && depth < MAX_DEPTH) await collect(path, files, depth + 1);
    else if (FONT_FILE.test(entry.name) && (await stat(path).catch(() => undefined))?.isFile()) {
      if (((await stat(path)).size ?? 0) <= MAX_FONT_BYTES) files.push(path);
    }
  }
}
