/** The interface behind tools and adapters: turns on sessions in this process or in a host. */
export { type ConnectOptions, connectHost } from "../host/client/connect-host.ts";
export type { HostClient } from "../host/client/host-client.ts";
export { policyFile } from "../library/policy-file.ts";
export type {
  ClosedSession,
  Hold,
  ReceiptOf,
  ResizedSession,
  SessionIdentity,
  SessionInput,
  SessionKey,
  SessionLeftovers,
  SessionName,
  SessionService,
  SessionState,
  SessionSummary,
  WriteOptions,
} from "../service/session-service.ts";
export type {
  CommandAnswer,
  Receipt,
  RunRequest,
  ScreenView,
  StartRequest,
  Surroundings,
  TurnAnswer,
  TurnInput,
  TurnRead,
  TurnRequest,
  TurnTarget,
  TurnWait,
} from "../service/turn/turn.ts";
