/** Reads a file of settings. A mistake in it is an error with its line. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { LimpetError } from "../base/limpet-error.ts";
import { readJsonMembers } from "./jsonc/read-jsonc.ts";
import { badSetting, type GivenSetting } from "./settings/bad-setting.ts";

/** How each setting is read: a value that does not fit is refused. */
export type SettingReaders<Settings> = {
  readonly [Key in keyof Settings]-?: (given: GivenSetting) => Required<Settings>[Key];
};

/** A file that is larger is not one of settings. */
const MAX_BYTES = 1024 * 1024;

/** Empty if the file does not exist. `home` is what `~` stands for. */
export function readSettingsFile<Settings extends object>(
  file: string,
  readers: SettingReaders<Settings>,
  home: string,
): Settings {
  const text = textOf(file);
  if (text === undefined) return {} as Settings;
  try {
    return settingsIn(text, readers, home);
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    throw new LimpetError(cause.code, `${file}: ${cause.message}`, { cause });
  }
}

/** Pure. */
function settingsIn<Settings extends object>(text: string, readers: SettingReaders<Settings>, home: string): Settings {
  const entries = readJsonMembers(text).map(({ key, value, line }) => {
    if (!Object.hasOwn(readers, key)) {
      const known = Object.keys(readers).join(", ");
      throw badSetting({ line }, `has an unknown setting ${JSON.stringify(key)}`, `Use one of: ${known}.`);
    }
    return [key, readers[key as keyof Settings]({ value, line, home })];
  });
  return Object.fromEntries(entries) as Settings;
}

/** Never waits: instead of a file, somebody may have put a named pipe there. */
function textOf(file: string): string | undefined {
  try {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const facts = fstatSync(fd);
      const isOdd = !facts.isFile() && !facts.isDirectory();
      if (isOdd || facts.size > MAX_BYTES) throw unreadable(file, "it is not a file of settings");
      return readFileSync(fd, "utf8");
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    if (cause instanceof LimpetError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw unreadable(file, String(code), cause);
  }
}

function unreadable(file: string, why: string, cause?: unknown): LimpetError {
  return new LimpetError("BAD_CONFIG", `${file} cannot be read (${why}). Fix it or remove it.`, { cause });
}
