/**
 * The NATS stream that stores the copies. Uses the JetStream API through plain requests, without the client's JetStream
 * part.
 */
import type { Bus } from "../nats/bus.ts";
import { JOURNAL_STREAM } from "./segment.ts";

const ASK_MS = 5_000;
/** NATS deletes a copy at this age. */
const MAX_AGE_MS = 30 * 24 * 60 * 60 * 1000;
const NANOSECONDS = 1_000_000;
/** The error code of NATS if a stream of that name exists with another configuration. */
const EXISTS = 10_058;

interface ApiAnswer {
  readonly error?: { readonly err_code?: number; readonly description?: string };
  readonly did_create?: boolean;
  readonly state?: { readonly subjects?: Readonly<Record<string, number>> };
  readonly seq?: number;
}

/** Creates the stream if it does not exist. An existing stream keeps its limits. */
export async function openJournalStream(bus: Bus, maxBytes: number): Promise<"created" | "found"> {
  const config = {
    name: JOURNAL_STREAM,
    subjects: ["limpet.journal.>"],
    retention: "limits",
    storage: "file",
    discard: "old",
    max_bytes: maxBytes,
    max_age: MAX_AGE_MS * NANOSECONDS,
    max_msgs_per_subject: 1,
    num_replicas: bus.replicas,
    allow_direct: true,
  };
  const { error, did_create: isNew } = await ask(bus, `$JS.API.STREAM.CREATE.${JOURNAL_STREAM}`, config);
  if (error && error.err_code !== EXISTS)
    throw new Error(`NATS did not create ${JOURNAL_STREAM}: ${error.description}`);
  return isNew === true ? "created" : "found";
}

/** The subjects that match the filter and have a copy. */
export async function copiedSubjects(bus: Bus, filter: string): Promise<readonly string[]> {
  const { state } = await ask(bus, `$JS.API.STREAM.INFO.${JOURNAL_STREAM}`, { subjects_filter: filter });
  return Object.keys(state?.subjects ?? {});
}

/** The last message of a subject; undefined if it has none. */
export async function copyAt(bus: Bus, subject: string): Promise<Uint8Array | undefined> {
  const found = await bus.request(`$JS.API.DIRECT.GET.${JOURNAL_STREAM}.${subject}`, new Uint8Array(0), {
    timeoutMs: ASK_MS,
  });
  return found === undefined || found.length === 0 ? undefined : found;
}

/** Whether the answer acknowledges that a message was stored. */
export function isStored(answer: Uint8Array | undefined): boolean {
  return answer !== undefined && typeof read(answer).seq === "number";
}

async function ask(bus: Bus, subject: string, question: unknown): Promise<ApiAnswer> {
  const answer = await bus.request(subject, Buffer.from(JSON.stringify(question)), { timeoutMs: ASK_MS });
  return answer === undefined ? { error: { description: "it does not answer" } } : read(answer);
}

function read(data: Uint8Array): ApiAnswer {
  try {
    return JSON.parse(Buffer.from(data).toString()) as ApiAnswer;
  } catch {
    return {};
  }
}
