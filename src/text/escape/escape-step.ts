/**
 * Why `read` stopped.
 *
 * - `open`: the bytes are used up, and the sequence continues. - `control`: a C0 control is at the position. The caller
 * carries it out and continues after it. - `escape`, `csi`: the sequence is complete. - `string-begin`,
 * `string-content`: a string has started; the bytes just read are its content. - `string-end`: the string is complete,
 * or an ESC that may begin its terminator is at the position. - `string-broken`: the string ended without a terminator,
 * at a line feed or at its bound. Text continues at the position. - `aborted`: CAN, SUB or a byte that cannot be part
 * of it ended the sequence or string. No terminal acts on it.
 */
export type EscapeStep =
  | "open"
  | "control"
  | "escape"
  | "csi"
  | "string-begin"
  | "string-content"
  | "string-end"
  | "string-broken"
  | "aborted";
