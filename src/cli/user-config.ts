/** What a person has set once for all, in `config.json`: flags and variables come before it. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { type ProfileName, profileLimits } from "../tools/profile-limits.ts";
import { lineOf, parseJsonText } from "./setup/json-text.ts";

export interface OwnConfig {
  /** The directory of the host, in full. */
  readonly state?: string;
  readonly tools?: ProfileName;
}

/** Empty where there is no such file. One that cannot be understood is refused: nobody wants a default in place of it. */
export function ownConfig(env: NodeJS.ProcessEnv): OwnConfig {
  const home = env["HOME"] || homedir();
  const given = env["XDG_CONFIG_HOME"] ?? "";
  const file = join(isAbsolute(given) ? given : join(home, ".config"), "limpet", "config.json");
  const text = textOf(file);
  if (text === undefined) return {};
  try {
    return parseConfig(text, home);
  } catch (cause) {
    if (!(cause instanceof LimpetError)) throw cause;
    throw new LimpetError(cause.code, `${file}: ${cause.message}`, { cause });
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new LimpetError("BAD_CONFIG", `${file} cannot be read (${code}). Repair it, or remove it.`, { cause });
  }
}

/** Pure. `home` is what `~` stands for. */
function parseConfig(text: string, home: string): OwnConfig {
  const node = parseJsonText(text);
  if (node.kind !== "object") throw bad(lineOf(text, node.start), "is no object", "Write settings between braces.");
  return Object.assign(
    {},
    ...node.members.map(({ key, value }) => {
      const line = lineOf(text, value.start);
      return settingOf({ key, value: value.kind === "other" ? value.value : undefined, line }, home);
    }),
  ) as OwnConfig;
}

interface Setting {
  readonly key: string;
  readonly value: unknown;
  readonly line: number;
}

function settingOf({ key, value, line }: Setting, home: string): OwnConfig {
  switch (key) {
    case "state": {
      const path = typeof value === "string" ? value.replace(/^~(?=\/|$)/, home) : "";
      if (!isAbsolute(path)) throw bad(line, "has a state that is no full path", "Begin it with / or ~/.");
      return { state: path };
    }
    case "tools": {
      const isKnown = typeof value === "string" && Object.hasOwn(profileLimits, value);
      const known = Object.keys(profileLimits).join(", ");
      if (!isKnown) throw bad(line, "has tools that there are not", `Give one of: ${known}.`);
      return { tools: value as ProfileName };
    }
    default:
      throw bad(line, `has ${JSON.stringify(key)}, which is no setting`, "There are: state, tools.");
  }
}

function bad(line: number, what: string, remedy: string): LimpetError {
  return new LimpetError("BAD_CONFIG", `Line ${line} ${what}. ${remedy}`);
}
