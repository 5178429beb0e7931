/** What redirections open. Pure. */
import type { ShellRedirection } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";

const WRITES = new Set([">", ">>", ">|", "<>", "&>", "&>>", ">&"]);
const HARMLESS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"]);
/** A copy of a descriptor, or its end. */
const DESCRIPTOR = /^(?:\d+-?|-)$/;
const NETWORK = /^\/dev\/(?:tcp|udp)\//;

export function redirectionCautions(redirections: readonly ShellRedirection[]): readonly Caution[] {
  return redirections.flatMap(({ operator, target, text: part }): readonly Caution[] => {
    if (operator.startsWith("<<")) return [];
    if (NETWORK.test(target.start)) return [{ name: "network", part }];
    if (!WRITES.has(operator)) return [];
    if (operator === ">&" && DESCRIPTOR.test(target.literal ?? "")) return [];
    // The command in a process substitution is judged by itself.
    const isHarmless = HARMLESS.has(target.literal ?? "") || target.text.startsWith(">(");
    return isHarmless ? [] : [{ name: "write", part }];
  });
}
