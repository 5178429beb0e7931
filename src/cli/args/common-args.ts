/** Arguments that many commands take, each in one wording. */
import type { ArgSpecs } from "./command.ts";

export const sessionArg: ArgSpecs = {
  id: { type: "positional", description: "Id or name of the session" },
};

/** `what` describes the JSON, where it is not obvious. */
export function jsonArg(what?: string): ArgSpecs {
  return { json: { type: "boolean", description: what === undefined ? "Print JSON" : `Print JSON: ${what}` } };
}
