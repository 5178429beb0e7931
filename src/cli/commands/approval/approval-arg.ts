/** The number of a request for approval. */
import type { ArgSpecs, Args } from "../../args/command.ts";
import { wholeOf } from "../../args/read-args.ts";

export const approvalArg: ArgSpecs = {
  number: { type: "positional", hint: "N", description: "The number, as limpet approvals shows it" },
};

export function approvalNumber(args: Args): number {
  return wholeOf(args, "number", { min: 1, max: Number.MAX_SAFE_INTEGER }) ?? 0;
}
