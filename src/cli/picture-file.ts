/** Pictures as files: what the commands that write them have in common. */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { THEMES, type ThemeName } from "../screen/picture/svg/theme.ts";
import type { ArgsDef } from "./command.ts";
import { type Flags, isOn, textOf } from "./flags.ts";

export interface Picture {
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
}

/** A picture that is in its file. */
export interface SavedPicture extends Omit<Picture, "bytes"> {
  /** With its full path. */
  readonly file: string;
  readonly bytes: number;
}

export const pictureArgs: ArgsDef = {
  theme: { type: "string", alias: "t", valueHint: "NAME", description: "dark or light. Default: dark" },
  force: { type: "boolean", alias: "f", description: "Write over a file that is there" },
};

export function themeOf(flags: Flags): ThemeName {
  const name = textOf(flags, "theme") ?? "dark";
  const found = (Object.keys(THEMES) as ThemeName[]).find((theme) => theme === name);
  if (found) return found;
  throw new LimpetError("BAD_OPTION", `--theme is ${JSON.stringify(name)}. Give dark or light.`);
}

/** Refuses before anything is drawn what could not be written in the end. */
export function requireFree(name: string, flags: Flags): void {
  if (!isOn(flags, "force") && existsSync(name)) throw new LimpetError("BAD_OPTION", isThere(resolve(name)));
}

/** Writes over a file only with --force. */
export async function savePicture(
  name: string,
  { bytes, width, height }: Picture,
  flags: Flags,
): Promise<SavedPicture> {
  const file = resolve(name);
  try {
    await writeFile(file, bytes, { flag: isOn(flags, "force") ? "w" : "wx" });
    return { file, width, height, bytes: bytes.length };
  } catch (cause) {
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const text =
      code === "EEXIST" ? isThere(file) : `The file ${file} cannot be written (${code}). Give a file that can be made.`;
    throw new LimpetError("BAD_OPTION", text, { cause });
  }
}

function isThere(file: string): string {
  return `The file ${file} is there already. Give another name, or --force to write over it.`;
}

export function describePicture({ file, width, height, bytes }: SavedPicture): string {
  return `Wrote ${file}: ${width}x${height} pixels, ${bytes} bytes`;
}
