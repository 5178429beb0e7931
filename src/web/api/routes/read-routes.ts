/** What a page reads of one session. */
import { LimpetError } from "../../../base/limpet-error.ts";
import { isKeyOf } from "../../../service/listing/session-key.ts";
import type { TurnRead } from "../../../service/turn/turn-request.ts";
import type { Route, WebAnswer, WebRequest } from "../../server/route.ts";
import type { ApiParts } from "../api-parts.ts";
import { cardOf } from "../cards/card-of.ts";
import type { HistoryAnswer, OutputAnswer, SearchAnswer, SessionDetails } from "../messages.ts";
import { keyOf, numberIn, textIn } from "../read-request.ts";
import { recordingsOf } from "../recordings.ts";

/** About 400 KB of text. */
const OUTPUT_TOKENS = 100_000;
const MAX_SEARCH_CHARS = 1_000;
const MAX_MATCHES = 500;
const MAX_LINE_CHARS = 500;

export function readRoutes(parts: ApiParts): readonly Route[] {
  const { sessions, pictures } = parts;
  /** Reading by a page does not count as use: it neither keeps a session from expiring nor marks output as read. */
  const read = async (request: WebRequest, what: TurnRead) =>
    await sessions.turn({
      caller: request.visitor.caller,
      on: { kind: "session", key: keyOf(request) },
      read: what,
      isWatch: true,
      signal: request.signal,
    });
  return [
    view("picture", async (request) => {
      const { svg, etag } = await pictures.of(keyOf(request));
      if (request.etag === etag) return { kind: "unchanged" };
      return { kind: "bytes", type: "image/svg+xml", bytes: svg, etag };
    }),
    view("history", async (request) => {
      const commands = await sessions.history(keyOf(request));
      return json({ commands } satisfies HistoryAnswer);
    }),
    view("output", async (request) => {
      const from = numberIn(request, "from") ?? 0;
      const to = numberIn(request, "to");
      const range = { from, ...(to === undefined ? {} : { to }) };
      const { output } = await read(request, { kind: "page", ...range, maxTokens: OUTPUT_TOKENS, fold: false });
      if (!output) throw new LimpetError("SESSION_NOT_FOUND", "The session has no output. List the sessions.");
      const { text, next, droppedBytes: dropped } = output;
      return json({ text, from, next, dropped } satisfies OutputAnswer);
    }),
    view("search", async (request) => {
      const words = textIn(request, "q", MAX_SEARCH_CHARS);
      const pattern =
        request.query.get("pattern") === "1" ? words : `(?i)${words.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}`;
      const options = { maxMatches: MAX_MATCHES, maxLineChars: MAX_LINE_CHARS };
      const { matches } = await read(request, { kind: "search", pattern, ...options });
      if (!matches) throw new LimpetError("SESSION_NOT_FOUND", "The session has no output. List the sessions.");
      return json(matches satisfies SearchAnswer);
    }),
    view("details", async (request) => json(await detailsOf(parts, keyOf(request)))),
  ];
}

async function detailsOf(parts: ApiParts, key: string): Promise<SessionDetails> {
  const { sessions } = parts;
  const { id, place, name } = await sessions.find(key);
  const [all, approvals, processes] = await Promise.all([
    sessions.list({ ended: true, all: true }),
    sessions.approvals.list(),
    sessions.processes(key),
  ]);
  const found = all.find((session) => isKeyOf(place === null ? id : `${place}/${id}`, session));
  if (!found) throw new LimpetError("SESSION_NOT_FOUND", `Session ${name ?? id} was closed. List the sessions.`);
  return { card: cardOf(found, approvals), processes, recordings: await recordingsOf(parts, found) };
}

function json(value: unknown): WebAnswer {
  return { kind: "json", value };
}

function view(name: string, answer: Route["answer"]): Route {
  return { method: "GET", path: `/api/sessions/:id/${name}`, right: "view", answer };
}
