/** Recordings: start, stop, play, fetch. */
import { z } from "zod";
import { LimpetError } from "../../../base/limpet-error.ts";
import { readRecording } from "../../../record/read-recording.ts";
import { keyOf as keyOfSession } from "../../../service/listing/session-key.ts";
import type { SessionSummary } from "../../../service/listing/session-summary.ts";
import { recordingPlayer } from "../../../service/recordings/recording-page.ts";
import type { Route, WebRequest } from "../../server/route.ts";
import type { ApiParts } from "../api-parts.ts";
import type { PlayerAnswer, RecordingEntry, RecordMessage } from "../messages.ts";
import { bodyOf, keyOf } from "../read-request.ts";
import { chosenRecording, entryOf, newRecordingFile, openRecording, recordingsOf } from "../recordings.ts";

const start: z.ZodType<RecordMessage> = z.strictObject({ from: z.enum(["start", "now"]).default("start") });
const stop = z.strictObject({ recording: z.string().max(64).optional() });
/** The media type that asciinema registered. */
const CAST_TYPE = "application/x-asciicast";

export function recordingRoutes(parts: ApiParts): readonly Route[] {
  const { sessions, watch } = parts;
  const path = "/api/sessions/:id/recording";
  const chosen = async (request: WebRequest) => {
    const session = await summaryOf(parts, keyOf(request));
    if (session.place !== null) throw elsewhere(session.place);
    return chosenRecording(await recordingsOf(parts, session), request.query.get("recording"));
  };
  return [
    {
      method: "GET",
      path,
      right: "view",
      answer: async (request) => ({ kind: "json", value: await playerOf(await chosen(request), request.signal) }),
    },
    {
      method: "GET",
      path: `${path}/file`,
      right: "view",
      answer: async (request) => {
        const opened = await openRecording(await chosen(request));
        try {
          return { kind: "bytes", type: CAST_TYPE, bytes: await opened.readFile() };
        } finally {
          await opened.close();
        }
      },
    },
    {
      method: "POST",
      path,
      right: "control",
      isForPeople: true,
      answer: async (request) => {
        const { from = "start" } = bodyOf(request, start);
        const session = await sessions.find(keyOf(request));
        if (session.place !== null) throw elsewhere(session.place);
        const file = await newRecordingFile(parts, session);
        const state = await sessions.record(keyOfSession(session), { file, from });
        watch.poke();
        return { kind: "json", value: entryOf(state) };
      },
    },
    {
      method: "POST",
      path: `${path}/stop`,
      right: "control",
      isForPeople: true,
      answer: async (request) => {
        const { recording } = bodyOf(request, stop);
        const session = await summaryOf(parts, keyOf(request));
        const file =
          recording === undefined ? {} : { file: chosenRecording(session.recordings.map(entryOf), recording).file };
        const states = await sessions.stopRecording(keyOfSession(session), file);
        watch.poke();
        return { kind: "json", value: { recordings: states.map(entryOf) } };
      },
    },
  ];
}

async function playerOf(entry: RecordingEntry, signal: AbortSignal): Promise<PlayerAnswer> {
  const opened = await openRecording(entry);
  try {
    // Through the open descriptor: the path may lead to another file by now.
    return await recordingPlayer(await readRecording(`/proc/self/fd/${opened.fd}`), { signal });
  } finally {
    await opened.close();
  }
}

async function summaryOf({ sessions }: ApiParts, key: string): Promise<SessionSummary> {
  const found = await sessions.find(key);
  const all = await sessions.list({ ended: true, all: true });
  const session = all.find((each) => keyOfSession(each) === keyOfSession(found));
  if (session) return session;
  throw new LimpetError("SESSION_NOT_FOUND", `Session ${keyOfSession(found)} was closed. List the sessions.`);
}

function elsewhere(place: string): LimpetError {
  return new LimpetError("BAD_OPTION", `Recordings at ${place} stay there. Use limpet record and limpet get for them.`);
}
