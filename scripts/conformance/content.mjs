/** The smallest contents of each kind, as the conformance tests expect them. */

/** A PNG of one pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** A WAV file without samples. */
const SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQAAAAA=";

export const image = { type: "image", data: PIXEL, mimeType: "image/png" };
export const audio = { type: "audio", data: SILENCE, mimeType: "audio/wav" };

export function text(value) {
  return { type: "text", text: value };
}

export function embedded(uri, mimeType, value) {
  return { type: "resource", resource: { uri, mimeType, text: value } };
}

export function answer(...content) {
  return { content: content.map((part) => (typeof part === "string" ? text(part) : part)) };
}
