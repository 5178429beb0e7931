/** Who a visitor is, and the stream of its page. */
import type { Route, WebAnswer, WebRequest } from "../../server/route.ts";
import type { ApiParts } from "../api-parts.ts";
import type { Me } from "../messages.ts";
import { keyOf } from "../read-request.ts";
import { pageEvents } from "../stream/page-events.ts";

const MAX_VIEWER_CHARS = 100;

export function streamRoutes(parts: ApiParts): readonly Route[] {
  const { machine, version, viewers } = parts;
  const stream = async (request: WebRequest, only: string | null): Promise<WebAnswer> => {
    const { query, lastEventId, signal, visitor } = request;
    const asked = only !== null && query.has("terminal") ? only : query.get("terminal");
    const terminal = visitor.prompt === undefined ? asked : null;
    const options = { terminal, only, lastEventId: lastEventId ?? query.get("after"), signal };
    const viewer = query.get("viewer")?.slice(0, MAX_VIEWER_CHARS) ?? null;
    return { kind: "events", events: viewers.during(viewer, pageEvents(parts, options)) };
  };
  return [
    {
      method: "GET",
      path: "/api/me",
      right: "view",
      isForShared: true,
      isForPrompt: true,
      answer: async ({ visitor }) => {
        const { caller, right, isPerson, session, prompt } = visitor;
        const isPromptOnly = prompt !== undefined;
        return {
          kind: "json",
          value: { caller, right, isPerson, session, isPromptOnly, machine, version } satisfies Me,
        };
      },
    },
    { method: "GET", path: "/api/events", right: "view", answer: (request) => stream(request, null) },
    {
      method: "GET",
      path: "/api/sessions/:id/events",
      right: "view",
      isForPrompt: true,
      answer: (request) => stream(request, keyOf(request)),
    },
  ];
}
