/** The limits that a command line asks for. */
import { LIMIT_NAMES, parseLimitWords, type SessionLimits } from "../../base/session-limits.ts";
import type { ArgSpecs, Args } from "./command.ts";
import { listOf } from "./read-args.ts";

export const limitArgs: ArgSpecs = {
  limit: {
    type: "string",
    hint: "NAME=VALUE",
    isList: true,
    description: `What programs may use, such as memory=1G or wallTime=10m: ${LIMIT_NAMES.join(", ")}. May be repeated`,
  },
};

/** Undefined without --limit. */
export function limitsOf(args: Args): SessionLimits | undefined {
  const given = listOf(args, "limit");
  return given.length === 0 ? undefined : parseLimitWords(given);
}
