/** What a person would see: screens, snapshots, pictures. */
export { type AnswerOptions, answerQueries } from "../screen/answer-queries.ts";
export { type ChangedRow, diffSnapshots, diffText, type SnapshotDiff } from "../screen/diff-snapshots.ts";
export { type PngOptions, renderPng } from "../screen/picture/render-png.ts";
export { renderSvg, type SvgOptions } from "../screen/picture/render-svg.ts";
export type { Theme, ThemeName } from "../screen/picture/svg/theme.ts";
export { type Screen, screenOf } from "../screen/screen.ts";
export { legendOf, type ScreenTextOptions, screenText } from "../screen/screen-text.ts";
export type { Caret, Cell, Colour, Mark, Snapshot, UnderlineStyle } from "../screen/snapshot.ts";
export type { SnapshotOptions } from "../screen/take-snapshot.ts";
export { type ScreenWaitOptions, type ScreenWaitResult, waitForScreen } from "../screen/wait-for-screen.ts";
