/** Arguments that many commands take, each in one wording. */
import type { ArgSpecs } from "./command.ts";

export const sessionArg: ArgSpecs = {
  id: { type: "positional", description: "Id or name of the session" },
};

/** `what` the JSON holds, where that is not plain. */
export function jsonArg(what?: string): ArgSpecs {
  return { json: { type: "boolean", description: what === undefined ? "Print JSON" : `Print JSON: ${what}` } };
}
