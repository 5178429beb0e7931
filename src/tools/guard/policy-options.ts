/** The rules that bind an agent, and who may approve what they ask about. */
import type { Policy } from "../../safety/policy/policy.ts";
import type { RuleFile } from "./ask-through-client.ts";

/** Which rules bind an agent, and who approves. */
export interface PolicyOptions {
  /** Read before each act, because a person may change the rules. If it throws, nothing runs. */
  readonly rules: () => Policy | Promise<Policy>;
  /** `person`: takes no answer through the client. Default `any`. */
  readonly approval?: "any" | "person" | undefined;
  /** After this time without a decision, the act is denied. Default: ten minutes. */
  readonly timeoutMs?: number | undefined;
  /** The sessions live in a host, where people can decide with the command line. Default false. */
  readonly hasPeople?: boolean | undefined;
  /** The machine on which they do. Default: this one. */
  readonly at?: string | undefined;
  /** Where permanent approvals are stored. Default: such approvals are not offered. */
  readonly ruleFile?: RuleFile | undefined;
  /** Called with the error of each act that is denied or needs an approval. Default: they are not counted. */
  readonly onRefused?: ((error: unknown) => void) | undefined;
}
