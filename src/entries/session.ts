/** Sessions in this process with everything that they can do, and registries of them: for those who build on limpet. */
export type { JournalHealth } from "../journal/disk-journal.ts";
export type { OutputOptions } from "../journal/follow-output.ts";
export type { Span } from "../journal/origins.ts";
export type { RangeOptions } from "../journal/output-pages.ts";
export type { ReadOptions } from "../journal/output-store.ts";
export type { TextPage } from "../journal/read-text.ts";
export type { SizeChange, TimedSpan, Timeline } from "../journal/timeline.ts";
export type { CloseOptions, CloseReason, Phase } from "../session/lifetime.ts";
export { type OpenOptions, openSession } from "../session/open-session.ts";
export type { NewTextOptions, OutputReader } from "../session/read/output-reader.ts";
export type { SearchOptions, SessionReading, TextOptions } from "../session/read/read-digest.ts";
export type { Session } from "../session/session.ts";
export type { OnTyped, Typed } from "../session/session-input.ts";
export { type RegistryOptions, SessionRegistry } from "../session/session-registry.ts";
export type { SessionStatus } from "../session/session-status.ts";
export type { WaitResult } from "../session/wait/decide-wait.ts";
export type { WaitOptions } from "../session/wait/wait-for.ts";
export { type SessionWaitResult, type SeveralOptions, waitForAll, waitForAny } from "../session/wait/wait-for-any.ts";
