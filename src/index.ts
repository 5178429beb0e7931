export type { Cursor, Page } from "./base/cursor.ts";
export type { Exit } from "./base/exit.ts";
export { LimpetError, type LimpetErrorCode } from "./base/limpet-error.ts";
export type { TerminalModes } from "./base/terminal-modes.ts";
export type { TerminalSize } from "./base/terminal-size.ts";
export { type ConnectOptions, connectHost } from "./host/connect-host.ts";
export type { HostClient } from "./host/host-client.ts";
export type { HostStatus } from "./host/protocol.ts";
export type { JournalHealth } from "./journal/disk-journal.ts";
export type { OutputOptions } from "./journal/follow-output.ts";
export type { Span } from "./journal/origins.ts";
export type { RangeOptions } from "./journal/output-pages.ts";
export type { ReadOptions } from "./journal/output-store.ts";
export type { TextPage } from "./journal/read-text.ts";
export type { SizeChange, TimedSpan, Timeline } from "./journal/timeline.ts";
export { encodeKey } from "./keys/encode-key.ts";
export { encodeMouse, type MouseButton, type MouseEvent, type MouseModifier } from "./keys/encode-mouse.ts";
export { encodePaste } from "./keys/encode-paste.ts";
export type { EndedProcess, EndReport } from "./linux/end-tree.ts";
export type { ListeningPort } from "./linux/list-listening.ts";
export type { ReaderVerdict } from "./probe/find-reader.ts";
export type { TerminalObservation } from "./probe/observe-terminal.ts";
export type { TerminalMode } from "./pty/terminal-mode.ts";
export type { CastEvent, CastFormat, CastHeader } from "./record/asciicast.ts";
export type { PaceOptions } from "./record/pace.ts";
export { type RecordingFile, readRecording } from "./record/read-recording.ts";
export { type Recording, type RecordingState, recordSession } from "./record/record-session.ts";
export type { RecordOptions, RecordSource } from "./record/record-source.ts";
export { recordingText } from "./record/recording-text.ts";
export { type ReplayOptions, replay } from "./record/replay.ts";
export { type AnswerOptions, answerQueries } from "./screen/answer-queries.ts";
export { type ChangedRow, diffSnapshots, diffText, type SnapshotDiff } from "./screen/diff-snapshots.ts";
export { type PngOptions, renderPng } from "./screen/picture/render-png.ts";
export { renderSvg, type SvgOptions } from "./screen/picture/render-svg.ts";
export type { Theme, ThemeName } from "./screen/picture/svg/theme.ts";
export { type Screen, screenOf } from "./screen/screen.ts";
export { legendOf, type ScreenTextOptions, screenText } from "./screen/screen-text.ts";
export type { Caret, Cell, Colour, Mark, Snapshot, UnderlineStyle } from "./screen/snapshot.ts";
export type { SnapshotOptions } from "./screen/take-snapshot.ts";
export { type ScreenWaitOptions, type ScreenWaitResult, waitForScreen } from "./screen/wait-for-screen.ts";
export {
  type DrawingProgress,
  type RecordingSvg,
  type RecordingSvgOptions,
  recordingSvg,
} from "./service/recording-svg.ts";
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
} from "./service/session-service.ts";
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
} from "./service/turn.ts";
export type { CloseOptions, CloseReason, Phase } from "./session/lifetime.ts";
export { type OpenOptions, openSession } from "./session/open-session.ts";
export type { NewTextOptions, OutputReader } from "./session/read/output-reader.ts";
export type { SearchOptions, SessionReading, TextOptions } from "./session/read/read-digest.ts";
export type { Session } from "./session/session.ts";
export type { OnTyped, Typed } from "./session/session-input.ts";
export { type RegistryOptions, SessionRegistry } from "./session/session-registry.ts";
export type { SessionStatus } from "./session/session-status.ts";
export type { WaitResult } from "./session/wait/decide-wait.ts";
export type { WaitOptions } from "./session/wait/wait-for.ts";
export { type SessionWaitResult, type SeveralOptions, waitForAll, waitForAny } from "./session/wait/wait-for-any.ts";
export { openShell, type ShellOptions } from "./shell/open-shell.ts";
export type { RunResult } from "./shell/run-result.ts";
export type { FollowOptions, RunOptions, Shell, ShellState } from "./shell/shell.ts";
export { cursorRange } from "./text/budget/cursor-range.ts";
export { type Budgeted, type BudgetOptions, fitTokens, type Tokenizer } from "./text/budget/fit-tokens.ts";
export type { CursorMark } from "./text/budget/given-text.ts";
export { HeadTail } from "./text/budget/head-tail.ts";
export { type Truncated, truncateMiddle } from "./text/budget/truncate-middle.ts";
export { Cleaner, type CleanerOptions, type CleanText } from "./text/clean/cleaner.ts";
export { type Folded, foldRepeats, unfoldedByte } from "./text/fold/fold-repeats.ts";
export {
  type DroppedOutput,
  type GrepLine,
  type GrepOptions,
  type GrepPiece,
  type GrepResult,
  grep,
  type LocatedBytes,
} from "./text/search/grep.ts";
export { compilePattern, type Pattern, type PatternMatch } from "./text/search/pattern.ts";
export { localTransport } from "./transport/local-transport.ts";
export type { Probe, RunningProcess } from "./transport/probe.ts";
export {
  type Script,
  type ScriptedOptions,
  type ScriptedProgram,
  scriptedTransport,
} from "./transport/scripted-transport.ts";
export type {
  Channel,
  ChannelOptions,
  OnOutput,
  Origin,
  SignalTarget,
  Transport,
} from "./transport/transport.ts";
