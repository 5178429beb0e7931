/** Decides whether a Node of this machine can run at a place that has none. Pure. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { Elf } from "./read-elf.ts";

/** What a place without Node reports about itself. */
export interface BareFacts {
  /** As `uname -m` names it. */
  readonly machine: string;
  /** Found by the dynamic loaders that exist there. */
  readonly libc: "glibc" | "musl" | "none";
  /** The place has `gzip`. */
  readonly canUnpack: boolean;
  /** Versions of Node that are there but too old. */
  readonly old: readonly string[];
}

interface Candidate {
  readonly place: string;
  /** The path of the Node. */
  readonly file: string;
  readonly elf: Elf | undefined;
}

/** Reads the rest of a `no-node` line: machine, libc, whether it has gzip, and old versions. */
export function parseBareFacts(rest: string): BareFacts {
  const [machine = "", libc = "", unpacks = "", ...old] = rest.trim().split(/\s+/);
  return {
    machine,
    libc: libc === "glibc" || libc === "musl" ? libc : "none",
    canUnpack: unpacks === "gzip",
    old,
  };
}

/** Throws `PLACE_NO_NODE` if the program cannot run there. Missing libraries are found only by running it. */
export function requireFittingNode(facts: BareFacts, { place, file, elf }: Candidate): void {
  const why = elf ? misfit(facts, file, elf) : `${file} is not a program that limpet can send`;
  if (why === undefined) return;
  throw new LimpetError(
    "PLACE_NO_NODE",
    `${place} has no Node, and ${why}. Install Node 20.15 or later there, or set bringNode to the path of a Node that fits.`,
  );
}

function misfit({ machine, libc }: BareFacts, file: string, elf: Elf): string | undefined {
  if (elf.machine !== machine) return `${file} is for ${elf.machine}, while the place is ${machine}`;
  const own = elf.libraries.find((library) => library.startsWith("libnode"));
  if (own !== undefined) return `${file} is only a part of Node: it needs ${own}`;
  if (elf.loader === undefined) return undefined;
  if (libc === "none") return `it has no loader for ${file}, which needs ${elf.loader}`;
  const built = elf.loader.includes("musl") ? "musl" : "glibc";
  return built === libc ? undefined : `${file} is built for ${built}, while the place has ${libc}`;
}

/** The error for a place without Node, if limpet may not send one. Pure. */
export function missingNode(place: string, { old }: BareFacts): LimpetError {
  const found = old.length === 0 ? "has no Node" : `has only Node ${old.join(", ")}`;
  return new LimpetError(
    "PLACE_NO_NODE",
    `${place} ${found}. Install Node 20.15 or later there, in the PATH of a shell without a terminal, or let limpet send one with bringNode.`,
  );
}
