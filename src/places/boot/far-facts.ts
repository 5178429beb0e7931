/** What both ends of the bootstrap know: the facts about a place, and the words they exchange. */

/** What a place says about itself. */
export interface FarFacts {
  /** As `process.platform` and `process.arch`. */
  readonly platform: string;
  readonly arch: string;
  readonly libc: "glibc" | "musl";
  /** The version of its Node, such as `v22.4.0`. */
  readonly node: string;
  /** Where bundles are kept. */
  readonly directory: string;
  /** The bundles that are there, by hash. */
  readonly bundles: readonly string[];
}

/** The client's answer to the facts, as a line of JSON. A bundle follows that has `bytes`. */
export interface FarOrder {
  /** The bundle to run, by the SHA-256 of its files. */
  readonly hash: string;
  /** 0 if the bundle is there. */
  readonly bytes: number;
  /** Words for `limpet` in the bundle. */
  readonly args: readonly string[];
}
