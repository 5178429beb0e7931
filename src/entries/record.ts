/** Sessions as asciicast files: record, read, replay, draw. */
export type { CastEvent, CastFormat, CastHeader } from "../record/asciicast.ts";
export type { PaceOptions } from "../record/pace.ts";
export { type RecordingFile, readRecording } from "../record/read-recording.ts";
export { type Recording, type RecordingState, recordSession } from "../record/record-session.ts";
export type { RecordOptions, RecordSource } from "../record/record-source.ts";
export { recordingText } from "../record/recording-text.ts";
export { type ReplayOptions, replay } from "../record/replay.ts";
export type { DrawingOptions, DrawingProgress } from "../service/recordings/draw-stills.ts";
export { type RecordingPage, recordingPage } from "../service/recordings/recording-page.ts";
export { type RecordingSvg, recordingSvg } from "../service/recordings/recording-svg.ts";
