/** Arguments that many commands take, each in one wording. */
import type { ArgsDef } from "./command.ts";

export const sessionArg: ArgsDef = {
  id: { type: "positional", required: true, description: "The id or the name of the session" },
};

/** `what` a script gets, where that is not plain. */
export function jsonArg(what?: string): ArgsDef {
  return { json: { type: "boolean", description: what === undefined ? "For a script" : `For a script: ${what}` } };
}
