/** The answer of a host to a request for a bid. */
import { statSync } from "node:fs";
import { inHome } from "../../host/server/at-home.ts";
import { decodeMessage } from "../link/open-messages.ts";
import type { Bid, NoBid } from "../placement/bid.ts";
import type { LeaseRecord } from "../registry/records.ts";
import type { LocalImages } from "./local-images.ts";

/** Longer than any path or image. */
const MAX_CHARS = 4_096;
const IMAGE = /^[A-Za-z0-9][\w./:@-]{0,511}$/;

/** Checks the workspace and the image only if the door asks for them. */
export async function bidFor(
  lease: LeaseRecord,
  question: Uint8Array,
  images: Pick<LocalImages, "has">,
): Promise<Bid | NoBid> {
  const { name: host, epoch, duty, sessions, maxSessions, load } = lease;
  const { workspace, image } = decodeMessage(question) ?? {};
  if (duty !== "open") return { refused: duty, sessions, load };
  if (sessions >= maxSessions) return { refused: "full", sessions, load };
  const hasWorkspace = typeof workspace !== "string" || isDirectory(workspace);
  const hasImage = typeof image !== "string" || (IMAGE.test(image) && (await images.has(image)));
  return { host, epoch, sessions, free: maxSessions - sessions, load, hasImage, hasWorkspace };
}

/** A relative path starts at the home directory, as it does for the working directory of a program. */
function isDirectory(path: string): boolean {
  try {
    return path.length <= MAX_CHARS && statSync(inHome(path)).isDirectory();
  } catch {
    return false;
  }
}
