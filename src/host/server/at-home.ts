/**
 * Makes the directories of clients on other machines absolute. Such a client sends no directory, or one relative to the
 * user's home directory; a client on this machine always sends absolute paths.
 */
import { homedir } from "node:os";
import { resolve } from "node:path";
import type { TurnRequest } from "../../service/turn/turn-request.ts";

/** Pure apart from the default of `home`. */
export function atHome(request: TurnRequest, home: string = homedir()): TurnRequest {
  const { on } = request;
  const at = (cwd: string) => inHome(cwd, home);
  if (on.kind === "start") return { ...request, on: { ...on, start: { ...on.start, cwd: at(on.start.cwd ?? "") } } };
  if (on.kind !== "run") return request;
  const { fresh = {}, cwd } = on.run;
  const where = fresh.cwd === undefined ? { defaultCwd: at(fresh.defaultCwd ?? "") } : { cwd: at(fresh.cwd) };
  const run = { ...on.run, fresh: { ...fresh, ...where }, ...(cwd === undefined ? {} : { cwd: at(cwd) }) };
  return { ...request, on: { ...on, run } };
}

/** Pure apart from the default of `home`. */
export function inHome(path: string, home: string = homedir()): string {
  return resolve(home, path.replace(/^~(?=\/|$)/, home));
}
