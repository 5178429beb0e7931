/** Routes that answer with who asked, and streams of them that go on until they are ended. */
import { request } from "node:http";
import { onTestFinished } from "vitest";
import type { Routes, Visitor } from "../../../src/web/server/route.ts";
import type { ServedWeb } from "./serve-web.ts";

const say = async ({ visitor }: { readonly visitor: Visitor }) => ({ kind: "json", value: visitor }) as const;

export const ROUTES: Routes = {
  routes: [
    { method: "GET", path: "/api/me", right: "view", isForShared: true, answer: say },
    { method: "GET", path: "/api/sessions/:id", right: "view", answer: say },
    { method: "POST", path: "/api/sessions/:id/input", right: "control", answer: say },
    { method: "POST", path: "/api/sessions/:id/prompt", right: "control", isForPeople: true, answer: say },
    {
      method: "GET",
      path: "/api/events",
      right: "view",
      isForShared: true,
      answer: async ({ signal }) => ({ kind: "events", events: ticking(signal) }),
    },
  ],
  tokenRoutes: [
    {
      path: "/mcp",
      right: "view",
      async serve(_, response, visitor) {
        response.write(JSON.stringify(visitor));
        if (_.method === "POST") response.end();
      },
    },
  ],
};

async function* ticking(signal: AbortSignal) {
  yield { event: "tick", data: 0 };
  await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
}

/** A request whose answer goes on: what arrived of it, and whether it has ended. */
export function openStream(
  web: ServedWeb,
  path: string,
  headers: Record<string, string>,
): { readonly text: string; readonly isOver: boolean } {
  const state = { text: "", isOver: false };
  const asked = request(
    { host: "127.0.0.1", port: web.port, path, headers: { Host: web.host, ...headers } },
    (answer) => {
      answer.on("data", (chunk) => {
        state.text += chunk;
      });
      answer.on("close", () => {
        state.isOver = true;
      });
      answer.on("error", () => undefined);
    },
  );
  asked.on("error", () => undefined);
  asked.end();
  onTestFinished(() => void asked.destroy());
  return state;
}
