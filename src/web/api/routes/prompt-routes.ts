/** The password prompt of a session: what a person types there goes from the browser to the terminal, and nowhere else. */
import { z } from "zod";
import { MAX_SECRET_BYTES } from "../../../safety/secrets/secret-source.ts";
import type { Route } from "../../server/route.ts";
import type { ApiParts } from "../api-parts.ts";
import type { PromptAnswer, PromptMessage } from "../messages.ts";
import { bodyOf, keyOf } from "../read-request.ts";

const answer: z.ZodType<PromptMessage> = z.strictObject({
  token: z.string().min(1).max(1_000),
  value: z.string().min(1).max(MAX_SECRET_BYTES),
});

export function promptRoutes({ sessions, watch }: ApiParts): readonly Route[] {
  const path = "/api/sessions/:id/prompt";
  return [
    {
      method: "GET",
      path,
      right: "control",
      isForPeople: true,
      answer: async (request) => {
        const prompt = await sessions.passwordPrompt(keyOf(request));
        return { kind: "json", value: { prompt } satisfies PromptAnswer };
      },
    },
    {
      method: "POST",
      path,
      right: "control",
      isForPeople: true,
      answer: async (request) => {
        await sessions.answerPrompt(keyOf(request), bodyOf(request, answer));
        watch.poke();
        return { kind: "json", value: {} };
      },
    },
  ];
}
