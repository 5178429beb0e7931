/** What the player of a recording gets: plain data, written into its page as JSON. */

/** A recording as the player shows it. */
export interface PlayerData {
  /** Of a row, in pixels. */
  readonly rowHeight: number;
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
  /** The path of the caret. A block lies below the text. Null if it is hidden. */
  readonly caret: { readonly path: string; readonly isBlock: boolean } | null;
}

/** A mark that can be jumped to. */
export interface Chapter {
  readonly atMs: number;
  readonly label: string;
}

/** A recording as a page shows it: where its rows go, and what they refer to. */
export interface PlayerContent {
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly background: string;
  readonly caret: string;
  /** SVG definitions that rows refer to. */
  readonly shapes: readonly string[];
  readonly data: PlayerData;
}
