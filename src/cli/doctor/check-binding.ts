import { type Finding, reasonOf } from "./finding.ts";

/** Loads the addon through which limpet calls libc: an optional dependency, which an installation may lack. */
export async function checkBinding(
  load: () => Promise<unknown> = () => import("../../linux/libc.ts"),
): Promise<Finding> {
  const check = "binding";
  try {
    await load();
    return {
      check,
      verdict: "ok",
      what: "libc can be called",
      meaning: "limpet can open terminals and start programs.",
    };
  } catch (error) {
    return {
      check,
      verdict: "fail",
      what: reasonOf(error),
      meaning:
        "limpet cannot start anything. Install it again without --omit=optional or --no-optional, for this platform.",
    };
  }
}
