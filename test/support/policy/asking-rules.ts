/** Rules that ask a person about most commands, the answer of one who agrees, and a command that shows if it ran. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Policy } from "../../../src/safety/policy/policy.ts";
import type { ApprovalAnswer } from "../../../src/tools/guard/client-asker.ts";
import { temporaryDirectory } from "../watching.ts";
import { policyOf } from "./policies.ts";

export const ASKS: Policy = policyOf({
  default: "ask",
  rules: [{ prefix: ["echo"], decision: "allow" }],
  cautions: { write: "allow" },
});
export const YES: ApprovalAnswer = { kind: "approve", scope: "once" };

interface Letters {
  readonly args: {
    readonly cmd: string;
    readonly login: boolean;
    readonly shell: string;
    readonly yield_time_ms: number;
  };
  content(): string;
}

/** A command that appends a letter to a file, and what is in the file. */
export function letters(): Letters {
  const file = join(temporaryDirectory(), "letters");
  const args = { cmd: `tee -a ${file} <<< x`, login: false, shell: "/bin/bash", yield_time_ms: 20_000 };
  return { args, content: () => (existsSync(file) ? readFileSync(file, "utf8") : "") };
}
