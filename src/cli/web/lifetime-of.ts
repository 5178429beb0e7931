import { parseLifetime } from "../../base/format/parse-lifetime.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Args } from "../args/command.ts";
import { textOf } from "../args/read-args.ts";

const DAY_MS = 86_400_000;

/** How long a share or a token is valid, from `--for`. */
export function lifetimeOf(
  args: Args,
  { otherwise, maxDays }: { readonly otherwise: string; readonly maxDays: number },
): number {
  const text = textOf(args, "for") ?? otherwise;
  const ms = parseLifetime(text);
  if (ms !== undefined && ms <= maxDays * DAY_MS) return ms;
  throw new LimpetError(
    "BAD_OPTION",
    `--for is ${JSON.stringify(text)}. Give a time such as 30m, 12h or 7d, at most ${maxDays}d.`,
  );
}
