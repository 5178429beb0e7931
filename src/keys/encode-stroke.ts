/** A key, a paste or a click as the bytes that a terminal sends for it. Pure. */
import { encodeText } from "../base/format/encode-text.ts";
import type { TerminalModes } from "../base/terminal-modes.ts";
import { encodeKey } from "./encode-key.ts";
import { encodeMouse } from "./encode-mouse.ts";
import { encodePaste } from "./encode-paste.ts";
import type { Stroke } from "./parse-stroke.ts";

export function encodeStroke(stroke: Stroke, modes: TerminalModes): Uint8Array {
  switch (stroke.kind) {
    case "text":
      return encodeText(stroke.text);
    case "key":
      return encodeText(encodeKey(stroke.name, modes));
    case "paste":
      return encodeText(encodePaste(stroke.text, modes));
    case "mouse":
      return encodeMouse(stroke.event, modes);
  }
}
