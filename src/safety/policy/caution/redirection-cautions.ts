/** What redirections open. Pure. */
import type { ShellRedirection } from "../syntax/simple-command.ts";
import type { Caution } from "./caution.ts";

const WRITES = new Set([">", ">>", ">|", "<>", "&>", "&>>", ">&"]);
const HARMLESS = new Set(["/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty"]);
/** Targets that copy or close a descriptor. */
const DESCRIPTOR = /^(?:\d+-?|-)$/;
const NETWORK = /^\/dev\/(?:tcp|udp)\//;

export function redirectionCautions(redirections: readonly ShellRedirection[]): readonly Caution[] {
  return redirections.flatMap((redirection): readonly Caution[] => {
    const { operator, target, text: part } = redirection;
    if (operator.startsWith("<<")) return [];
    if (NETWORK.test(target.start)) return [{ name: "network", part }];
    return isWriting(redirection) ? [{ name: "write", part }] : [];
  });
}

/** Whether it opens a file to write to it. */
export function isWriting({ operator, target }: ShellRedirection): boolean {
  if (!WRITES.has(operator) || (operator === ">&" && DESCRIPTOR.test(target.literal ?? ""))) return false;
  // The command in a process substitution is judged by itself.
  return !HARMLESS.has(target.literal ?? "") && !target.text.startsWith(">(");
}
