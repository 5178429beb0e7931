/** The interface behind tools and adapters: turns on sessions in this process or in a host. */
export { type ConnectOptions, connectHost } from "../host/client/connect-host.ts";
export type { HostClient } from "../host/client/host-client.ts";
export { policyFile } from "../library/policy-file.ts";
export type { ClosedSession, ResizedSession } from "../service/control/control-requests.ts";
export type { Hold } from "../service/control/hold.ts";
export type { SessionInput, WriteOptions } from "../service/input/session-input.ts";
export type { SessionKey, SessionName } from "../service/listing/session-name.ts";
export type { SessionIdentity, SessionState } from "../service/listing/session-state.ts";
export type { SessionLeftovers, SessionSummary } from "../service/listing/session-summary.ts";
export type { SessionService } from "../service/session-service.ts";
export type { Receipt, ReceiptOf } from "../service/turn/receipt.ts";
export type { RunRequest, StartRequest } from "../service/turn/start-request.ts";
export type { CommandAnswer, ScreenView, Surroundings, TurnAnswer } from "../service/turn/turn-answer.ts";
export type { TurnInput, TurnRead, TurnRequest, TurnTarget, TurnWait } from "../service/turn/turn-request.ts";
