/** Saves pictures to files, for the commands that make them. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { THEMES, type ThemeName } from "../../screen/picture/svg/theme.ts";
import type { ArgSpecs, Args } from "../args/command.ts";
import { isOn, textOf } from "../args/read-args.ts";

export interface Picture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A picture that was written to a file. */
export interface SavedPicture extends Omit<Picture, "bytes"> {
  /** Absolute path. */
  readonly file: string;
  readonly bytes: number;
}

export const pictureArgs: ArgSpecs = {
  theme: { type: "string", short: "t", hint: "NAME", description: "dark or light. Default: dark" },
  force: { type: "boolean", short: "f", description: "Overwrite an existing file" },
};

export function themeOf(flags: Args): ThemeName {
  const name = textOf(flags, "theme") ?? "dark";
  const found = (Object.keys(THEMES) as ThemeName[]).find((theme) => theme === name);
  if (found) return found;
  throw new LimpetError("BAD_OPTION", `--theme is ${JSON.stringify(name)}. Give dark or light.`);
}

/** The name of a file that stands for stdout. */
export const STDOUT = "-";

/** Refuses to write a picture to a terminal, or between other output. */
export function requireStdout(flags: Args): void {
  if (isOn(flags, "json")) throw new LimpetError("BAD_OPTION", "-o - and --json both use stdout. Give one of them.");
  if (process.stdout.isTTY)
    throw new LimpetError("BAD_OPTION", "-o - writes to stdout, which is a terminal. Redirect it to a pipe or a file.");
}

/** Refuses an existing file before the drawing starts. */
export function requireFree(name: string, flags: Args): void {
  if (!isOn(flags, "force") && existsSync(name)) throw new LimpetError("BAD_OPTION", isThere(resolve(name)));
}

/** Overwrites a file only with --force. */
export async function savePicture(name: string, { bytes, width, height }: Picture, flags: Args): Promise<SavedPicture> {
  const file = resolve(name);
  try {
    await writeFile(file, bytes, { flag: isOn(flags, "force") ? "w" : "wx" });
    return { file, width, height, bytes: bytes.length };
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const text = code === "EEXIST" ? isThere(file) : `${file} cannot be written (${code}). Choose another file.`;
    throw new LimpetError("BAD_OPTION", text, { cause });
  }
}

function isThere(file: string): string {
  return `${file} already exists. Choose another name, or use --force to overwrite it.`;
}

export function describePicture({ file, width, height, bytes }: SavedPicture): string {
  return `Wrote ${file}: ${width}x${height} pixels, ${bytes} bytes`;
}
