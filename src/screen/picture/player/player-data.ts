/** What the player of a recording gets: plain data, written into its page as JSON. */

/** A recording as the player shows it. */
export interface PlayerData {
  /** Of the picture, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly cell: { readonly width: number; readonly height: number };
  /** Around the screen. */
  readonly margin: number;
  readonly totalMs: number;
  /** SVG of rows, each once: frames name them by their position here. */
  readonly rows: readonly string[];
  readonly frames: readonly Frame[];
  /** Commands and other marks of the recording. */
  readonly chapters: readonly Chapter[];
}

/** What is different from the frame before. */
export interface Frame {
  readonly atMs: number;
  /** The number of the row, its background and its text. */
  readonly rows: readonly (readonly [row: number, ground: number, text: number])[];
  /** The path of the caret, whether it lies below the text, and its place; null if it is hidden. */
  readonly caret: { readonly path: string; readonly isBlock: boolean } | null;
}

/** A mark that can be jumped to. */
export interface Chapter {
  readonly atMs: number;
  readonly label: string;
}
