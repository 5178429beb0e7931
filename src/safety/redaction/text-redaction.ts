/** Masks parts of a text. */
export interface TextRedaction {
  /** 0 while there is nothing to redact. */
  readonly version: number;
  /** Each byte of what is redacted becomes a mask. The same text if there is nothing to redact in it. */
  redact(text: string): string;
  /** For each byte, 1 if it is redacted, otherwise 0. */
  masksOf(bytes: Uint8Array): Uint8Array;
}
