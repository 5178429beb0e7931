/**
 * The password prompt of a session: what a person types there goes from the browser to the terminal, and nowhere else.
 */
import { z } from "zod";
import { LimpetError } from "../../../base/limpet-error.ts";
import { MAX_SECRET_BYTES } from "../../../safety/secrets/secret-source.ts";
import type { Route, WebRequest } from "../../server/route.ts";
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
      isForPrompt: true,
      answer: async (request) => {
        const found = await sessions.passwordPrompt(keyOf(request));
        const prompt = found && mayAnswer(request, found.token) ? found : null;
        return { kind: "json", value: { prompt } satisfies PromptAnswer };
      },
    },
    {
      method: "POST",
      path,
      right: "control",
      isForPeople: true,
      isForPrompt: true,
      answer: async (request) => {
        const message = bodyOf(request, answer);
        if (!mayAnswer(request, message.token)) {
          throw new LimpetError(
            "PROMPT_CHANGED",
            "Your link is for another prompt, which is gone. Ask for a new link.",
          );
        }
        await sessions.answerPrompt(keyOf(request), message);
        watch.poke();
        return { kind: "json", value: {} };
      },
    },
  ];
}

/** A one-time link is for one prompt. */
function mayAnswer({ visitor }: Pick<WebRequest, "visitor">, token: string): boolean {
  return visitor.prompt === undefined || visitor.prompt === token;
}
