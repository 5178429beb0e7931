/** Reads a file of settings. A mistake in it is an error with its line. */
import { LimpetError } from "../base/limpet-error.ts";
import { readJsonMembers } from "./jsonc/read-jsonc.ts";
import { type LinkRule, readPlainFile } from "./read-plain-file.ts";
import { badSetting, type GivenSetting } from "./settings/bad-setting.ts";

/** How each setting is read: a value that does not fit is refused. */
export type SettingReaders<Settings> = {
  readonly [Key in keyof Settings]-?: (given: GivenSetting) => Required<Settings>[Key];
};

interface FileOptions {
  /** What `~` stands for. */
  readonly home: string;
  readonly links: LinkRule;
}

/** Empty if the file does not exist. */
export function readSettingsFile<Settings extends object>(
  file: string,
  readers: SettingReaders<Settings>,
  { home, links }: FileOptions,
): Settings {
  const text = textOf(file, links);
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

function textOf(file: string, links: LinkRule): string | undefined {
  try {
    return readPlainFile(file, links);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new LimpetError("BAD_CONFIG", `${file} cannot be read (${why}). Fix it or remove it.`, { cause });
  }
}
