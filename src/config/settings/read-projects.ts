/** The setting `projects`: what differs in some folders. */
import { isAbsolute, sep } from "node:path";
import type { Allowance } from "../../base/allowance.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { SessionLimits } from "../../base/session-limits.ts";
import { badSetting, type GivenSetting, isRecord } from "./bad-setting.ts";
import { readLimits } from "./read-limits.ts";
import { readOwnSandbox } from "./read-sandbox.ts";

/** The settings of one folder and what is below it. */
export interface ProjectSettings {
  /** An absolute path. */
  readonly folder: string;
  /** Instead of the general setting. Undefined: the general setting. */
  readonly sandbox?: Allowance<SandboxRequest>;
  /** Instead of the general limits. Undefined: the general ones. */
  readonly limits?: Allowance<SessionLimits>;
}

export function readProjects(given: GivenSetting): readonly ProjectSettings[] {
  const remedy = 'Use an object of folders, such as { "~/src/app": { "sandbox": "workspace" } }.';
  const { value, home } = given;
  if (!isRecord(value)) throw badSetting(given, "has a bad value for projects", remedy);
  return Object.entries(value).map(([path, settings]) => {
    const folder = path.replace(/^~(?=\/|$)/, home).replace(/(?<=.)\/+$/, "");
    if (!isAbsolute(folder)) throw badSetting(given, `has the project ${JSON.stringify(path)}`, remedy);
    if (!isRecord(settings)) throw badSetting(given, `has a bad value for ${JSON.stringify(path)}`, remedy);
    const unknown = Object.keys(settings).find((key) => key !== "sandbox" && key !== "limits");
    if (unknown !== undefined)
      throw badSetting(
        given,
        `has an unknown setting ${JSON.stringify(unknown)} for a project`,
        "Use: sandbox, limits.",
      );
    const limits =
      settings["limits"] === undefined ? {} : { limits: readLimits({ ...given, value: settings["limits"] }) };
    if (settings["sandbox"] === undefined) return { folder, ...limits };
    return { folder, sandbox: readOwnSandbox({ ...given, value: settings["sandbox"] }), ...limits };
  });
}

/** Pure: the settings of the nearest folder around a project that has some. Both are real paths. */
export function settingsFor(projects: readonly ProjectSettings[], project: string): ProjectSettings | undefined {
  const around = projects.filter(({ folder }) =>
    `${project}${sep}`.startsWith(folder === sep ? sep : `${folder}${sep}`),
  );
  return around.sort((one, other) => other.folder.length - one.folder.length)[0];
}
