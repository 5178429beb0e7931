export { ShellError, type ShellErrorCode } from "./base/errors.ts";
export type { HostClient } from "./host/client.ts";
export type { HostStatus } from "./host/protocol.ts";
export { type ConnectOptions, connectHost } from "./host/start.ts";
export { type Budgeted, type BudgetOptions, fitTokens, type Tokenizer } from "./output/budget.ts";
export { Cleaner, type CleanerOptions, type CleanText } from "./output/clean.ts";
export { cursorRange } from "./output/cursor-range.ts";
export { type Folded, foldRepeats, unfoldedByte } from "./output/fold.ts";
export type { CursorMark } from "./output/given-text.ts";
export {
  type DroppedOutput,
  type GrepLine,
  type GrepOptions,
  type GrepPiece,
  type GrepResult,
  grep,
  type LocatedBytes,
} from "./output/grep.ts";
export { HeadTail } from "./output/head-tail.ts";
export { compilePattern, type Pattern, type PatternMatch } from "./output/pattern.ts";
export { type Truncated, truncateMiddle } from "./output/truncate.ts";
export type { EndedProcess, EndReport } from "./pty/end-tree.ts";
export type { ListeningPort } from "./pty/listening.ts";
export type { TerminalSize } from "./pty/open-pty.ts";
export type { Exit } from "./pty/reap.ts";
export type { TerminalMode } from "./pty/terminal-mode.ts";
export type { ReaderVerdict } from "./pty/terminal-reader.ts";
export type { CastEvent, CastFormat, CastHeader } from "./record/asciicast.ts";
export type { PaceOptions } from "./record/pace.ts";
export { type RecordingFile, readRecording } from "./record/read-recording.ts";
export type { RecordOptions, RecordSource } from "./record/record-source.ts";
export { type Recording, type RecordingState, recordSession } from "./record/recorder.ts";
export { recordingText } from "./record/recording-text.ts";
export { type ReplayOptions, replay } from "./record/replay.ts";
export { type AnswerOptions, answerQueries } from "./screen/answer-queries.ts";
export { type ChangedRow, diffSnapshots, diffText, type SnapshotDiff } from "./screen/diff-snapshots.ts";
export { encodeKey } from "./screen/keys.ts";
export type { TerminalModes } from "./screen/modes.ts";
export { encodeMouse, type MouseButton, type MouseEvent, type MouseModifier } from "./screen/mouse.ts";
export { encodePaste } from "./screen/paste.ts";
export { type PngOptions, renderPng } from "./screen/picture/png.ts";
export { renderSvg, type SvgOptions } from "./screen/picture/svg.ts";
export type { Theme, ThemeName } from "./screen/picture/theme.ts";
export { type Screen, screenOf } from "./screen/screen.ts";
export { legendOf, type ScreenTextOptions, screenText } from "./screen/screen-text.ts";
export type { Caret, Cell, Colour, Mark, Snapshot, UnderlineStyle } from "./screen/snapshot.ts";
export type { SnapshotOptions } from "./screen/take-snapshot.ts";
export { type ScreenWaitOptions, type ScreenYield, waitForScreen } from "./screen/wait-for-screen.ts";
export type { Yield } from "./session/decide-yield.ts";
export type { OutputOptions } from "./session/follow-output.ts";
export type { Cursor, Page } from "./session/journal.ts";
export type { ReadOptions } from "./session/kept-output.ts";
export { type OpenOptions, openSession } from "./session/open.ts";
export type { Span } from "./session/origins.ts";
export type { RangeOptions } from "./session/output-pages.ts";
export type { NewTextOptions, OutputReader } from "./session/output-reader.ts";
export type { TextPage } from "./session/read-text.ts";
export type { SearchOptions, SessionReading, TextOptions } from "./session/reading.ts";
export { type RegistryOptions, SessionRegistry } from "./session/registry.ts";
export type { CloseOptions, CloseReason, Session } from "./session/session.ts";
export type { SpillHealth } from "./session/spill.ts";
export type { Phase } from "./session/state.ts";
export type { SessionStatus } from "./session/status.ts";
export type { SizeChange, TimedSpan, Timeline } from "./session/timeline.ts";
export type { OnTyped, Typed } from "./session/typed-input.ts";
export type { WaitOptions } from "./session/wait.ts";
export { type SessionYield, type SeveralOptions, waitForAll, waitForAny } from "./session/wait-several.ts";
export {
  type DrawingProgress,
  type RecordingSvg,
  type RecordingSvgOptions,
  recordingSvg,
} from "./sessions/recording-svg.ts";
export type {
  Confirmation,
  Hold,
  SessionIdentity,
  SessionKey,
  SessionName,
  SessionState,
  SessionSummary,
  Sessions,
  StartedSession,
  StartRequest,
  UnreadRequest,
  WaitAnswer,
  WaitRequest,
  WriteOptions,
} from "./sessions/sessions.ts";
export { openShell, type ShellOptions } from "./shell/open-shell.ts";
export type { RunResult } from "./shell/result.ts";
export type { FollowOptions, RunOptions, Shell, ShellState } from "./shell/shell.ts";
export { localTransport } from "./transport/local.ts";
export { type Script, type ScriptedProgram, scriptedTransport } from "./transport/scripted.ts";
export type {
  Channel,
  ChannelOptions,
  InputLook,
  OnOutput,
  Origin,
  SignalTarget,
  Transport,
} from "./transport/transport.ts";
