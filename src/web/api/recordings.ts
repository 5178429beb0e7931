/**
 * The recordings of a session: those that its host knows, and those that pages have started. A page names one by an id
 * that is looked up among these; no path ever comes from a request.
 */
import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { RecordingState } from "../../record/record-session.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { RecordingEntry } from "./messages.ts";

type Recorded = Pick<SessionSummary, "id" | "place" | "recordings">;

interface Where {
  /** The directory of those that pages have started. */
  readonly recordings: string;
}

/** A larger file is left to other players. */
const MAX_RECORDING_BYTES: number = 64 * 1024 * 1024;
/** How many recordings of a session are listed: the newest. */
const MOST_LISTED = 100;

/** Newest last. */
export async function recordingsOf({ recordings }: Where, session: Recorded): Promise<readonly RecordingEntry[]> {
  const known = session.recordings.map(entryOf);
  // Those at a place are files there.
  if (session.place !== null) return known;
  const names = (await readdir(recordings).catch(() => [])).filter((name) => isOf(name, session.id)).sort();
  const files = names.map((name) => join(recordings, name)).filter((file) => known.every((each) => each.file !== file));
  const ended = await Promise.all(files.slice(-MOST_LISTED).map(endedEntry));
  return [...ended.filter((entry) => entry !== undefined), ...known];
}

/** The file for a new recording. Its directory exists, and only this user can read it. */
export async function newRecordingFile({ recordings }: Where, { id }: Pick<Recorded, "id">): Promise<string> {
  await mkdir(recordings, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replaceAll(/[-:]|\.\d+Z$/g, "");
  const taken = new Set(await readdir(recordings));
  for (let count = 0; ; count += 1) {
    const name = `${id}-${time}${count === 0 ? "" : `-${count}`}.cast`;
    if (!taken.has(name)) return join(recordings, name);
  }
}

/** Throws `BAD_RECORDING` if there is no such recording. */
export function chosenRecording(entries: readonly RecordingEntry[], id: string | null): RecordingEntry {
  const found = entries.find((entry) => entry.id === id);
  if (!found) throw new LimpetError("BAD_RECORDING", "There is no such recording. Reload the page.");
  return found;
}

/** Opens a plain file of bounded size, never through a symbolic link. The caller closes it. */
export async function openRecording({ file }: RecordingEntry): Promise<FileHandle> {
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  const found = await opened?.stat();
  if (opened && found?.isFile() && found.size <= MAX_RECORDING_BYTES) return opened;
  await opened?.close();
  const why =
    found && found.size > MAX_RECORDING_BYTES ? `has more than ${MAX_RECORDING_BYTES} bytes` : "cannot be read";
  throw new LimpetError("BAD_RECORDING", `The recording ${why}. Play its file with: limpet replay`);
}

export function entryOf(state: RecordingState): RecordingEntry {
  const { file, fileBytes, kind } = state;
  return {
    id: idOf(file),
    file,
    bytes: fileBytes,
    isRunning: kind === "recording",
    problem: kind === "failed" ? state.reason : null,
  };
}

/** Undefined for what is not a plain file. */
async function endedEntry(file: string): Promise<RecordingEntry | undefined> {
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  try {
    const found = await opened?.stat();
    return found?.isFile() ? { id: idOf(file), file, bytes: found.size, isRunning: false, problem: null } : undefined;
  } finally {
    await opened?.close();
  }
}

function isOf(name: string, id: number): boolean {
  return /^\d+-\d{8}T\d{6}(?:-\d+)?\.cast$/.test(name) && name.startsWith(`${id}-`);
}

function idOf(file: string): string {
  return createHash("sha256").update(file).digest("base64url").slice(0, 22);
}
