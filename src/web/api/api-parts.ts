/** What the routes of the API share. */
import type { SessionService } from "../../service/session-service.ts";
import type { RuleFile } from "../../tools/guard/ask-through-client.ts";
import type { SessionWatch } from "./cards/session-watch.ts";
import type { Pictures } from "./pictures.ts";
import type { Viewers } from "./viewers.ts";

export interface ApiOptions {
  /** The sessions of a person: of all projects and places. */
  readonly sessions: SessionService;
  readonly version: string;
  /** The name of this machine. */
  readonly machine: string;
  /** An absolute path that no session can write to: recordings that pages start go there. */
  readonly recordings: string;
  /** Where a permanent approval is stored as a rule. Default: such approvals are refused. */
  readonly ruleFile?: RuleFile | undefined;
}

export interface ApiParts extends ApiOptions {
  readonly watch: SessionWatch;
  readonly pictures: Pictures;
  readonly viewers: Viewers;
}
