/** Arguments that many commands take, each in one wording. */
import type { ArgSpecs } from "./command.ts";

export const sessionArg: ArgSpecs = {
  id: { type: "positional", description: "Id or name of the session; build/7 is one at a place" },
};

/** `what` describes the JSON, where it is not obvious. */
export function jsonArg(what?: string): ArgSpecs {
  return { json: { type: "boolean", description: what === undefined ? "Print JSON" : `Print JSON: ${what}` } };
}

/** For every command that talks to a host. */
export const atArg: ArgSpecs = {
  at: {
    type: "string",
    hint: "PLACE",
    description:
      "The host of a place: ssh:HOST, docker:NAME, podman:NAME, image:NAME, fleet:LABELS, or a name from config.json",
  },
  "bring-node": { type: "boolean", description: "With --at: send a Node to a place that has none" },
};
