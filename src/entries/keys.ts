/** Keys, pastes and mouse events as the bytes that a terminal sends. */
export type { TerminalModes } from "../base/terminal-modes.ts";
export { encodeKey } from "../keys/encode-key.ts";
export { encodeMouse, type MouseButton, type MouseEvent, type MouseModifier } from "../keys/encode-mouse.ts";
export { encodePaste } from "../keys/encode-paste.ts";
