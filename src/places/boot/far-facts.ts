/** The messages of the bootstrap: facts from the place, and the client's order. */

/** What a place reports about itself. */
export interface FarFacts {
  /** As `process.platform` and `process.arch`. */
  readonly platform: string;
  readonly arch: string;
  readonly libc: "glibc" | "musl";
  /** The version of its Node, such as `v22.4.0`. */
  readonly node: string;
  /** The directory of the bundles. */
  readonly directory: string;
  /** The hashes of the bundles that are there. */
  readonly bundles: readonly string[];
}

/** The client's answer to the facts, as a line of JSON. It is followed by `bytes` bytes of the bundle. */
export interface FarOrder {
  /** The bundle to run, by the SHA-256 of its files. */
  readonly hash: string;
  /** 0 if the place already has the bundle. */
  readonly bytes: number;
  /** The arguments for `limpet` of the bundle. */
  readonly args: readonly string[];
}
