/** The limits that a command line asks for. */
import { LimpetError } from "../../base/limpet-error.ts";
import { LIMIT_NAMES, parseLimits, type SessionLimits } from "../../base/session-limits.ts";
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
  const given = listOf(args, "limit").map((word) => {
    const at = word.indexOf("=");
    if (at > 0) return [word.slice(0, at), word.slice(at + 1)] as const;
    throw new LimpetError(
      "BAD_OPTION",
      `${JSON.stringify(word)} is not a limit. Give --limit a value such as memory=1G.`,
    );
  });
  return given.length === 0 ? undefined : parseLimits(Object.fromEntries(given));
}
