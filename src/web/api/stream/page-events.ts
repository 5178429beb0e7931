/** The one stream of a page: all sessions, and the terminal that is open. */
import type { SessionService } from "../../../service/session-service.ts";
import type { StreamEvent } from "../../server/route.ts";
import type { SessionWatch, WatchedEvent } from "../cards/session-watch.ts";
import { decodeEventId, encodeEventId, type PagePosition } from "./event-id.ts";
import { mergeStreams, type Source } from "./merge-streams.ts";
import { terminalEvents } from "./terminal-events.ts";
import type { TerminalEvent } from "./terminal-run.ts";

interface PageOptions {
  /** The session whose terminal is open; null: none. */
  readonly terminal: string | null;
  /** The one session that the page may see; null: all. */
  readonly only: string | null;
  /** The id of the last event that the page has. */
  readonly lastEventId: string | null;
  readonly signal: AbortSignal;
}

interface PageParts {
  readonly sessions: SessionService;
  readonly watch: SessionWatch;
}

export async function* pageEvents(
  { sessions, watch }: PageParts,
  { terminal: key, only, lastEventId, signal }: PageOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const { instance } = watch.board;
  const had = decodeEventId(lastEventId);
  let version = had?.instance === instance ? had.version : undefined;
  let terminal = had?.terminal?.key === key ? had?.terminal : undefined;
  const id = () => encodeEventId({ instance, version, terminal } satisfies PagePosition);
  const sources: Source<WatchedEvent | TerminalEvent>[] = [(until) => watch.events(version, only, until)];
  if (key !== null) sources.push((until) => terminalEvents(sessions, { key, position: terminal, signal: until }));
  for await (const event of mergeStreams(sources, signal)) {
    if ("part" in event) {
      version = event.version;
      yield { ...event.part, id: id() };
    } else {
      terminal = event.position && key !== null ? { ...event.position, key } : undefined;
      yield { event: event.event, data: event.data, id: id() };
    }
  }
}
