/** Adds the variables and the directory in a place's settings to a program that starts there. Pure. */
import { posix } from "node:path";
import type { PlaceDefaults } from "../config/settings/read-places.ts";
import type { TurnTarget } from "../service/turn/turn-request.ts";

/** Variables of the request override those of the place. A relative directory is resolved against that of the place. */
export function atPlace(on: TurnTarget, { env = {}, directory }: PlaceDefaults): TurnTarget {
  const variables = (given: Readonly<Record<string, string>> | undefined) =>
    Object.keys(env).length === 0 ? (given === undefined ? {} : { env: given }) : { env: { ...env, ...given } };
  const inDirectory = (cwd: string) =>
    directory === undefined || cwd.startsWith("/") || /^~(?=\/|$)/.test(cwd) ? cwd : posix.join(directory, cwd);
  const where = (cwd: string | undefined) => {
    const at = cwd === undefined ? directory : inDirectory(cwd);
    return at === undefined ? {} : { cwd: at };
  };
  if (on.kind === "start") return { ...on, start: { ...on.start, ...variables(on.start.env), ...where(on.start.cwd) } };
  if (on.kind !== "run") return on;
  const { fresh = {}, cwd } = on.run;
  const home = fresh.cwd === undefined && directory !== undefined ? { defaultCwd: directory } : where(fresh.cwd);
  const run = {
    ...on.run,
    fresh: { ...fresh, ...variables(fresh.env), ...home },
    ...(cwd === undefined ? {} : where(cwd)),
  };
  return { ...on, run };
}
