/**
 * The password that a program waits for. It goes to that very prompt and nowhere else: the page does not keep it, and
 * the server types it only if the same program still waits.
 */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { PromptAnswer, SessionCard } from "../../api/messages.ts";
import { nameOf } from "../state/announcements.ts";
import { CallError } from "../state/call.ts";
import { attempt, notify } from "../state/page.ts";
import { answerPrompt, askPrompt } from "../state/requests.ts";

type Prompt = NonNullable<PromptAnswer["prompt"]>;

export function PasswordBox({ card }: { readonly card: SessionCard }): JSX.Element | null {
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const isWaiting = card.waitingFor === "password";
  const load = () => attempt(async () => setPrompt(await askPrompt(card.key)));
  useEffect(() => {
    if (isWaiting) void load();
    else setPrompt(null);
  }, [card.key, isWaiting, card.outputBytes]);
  if (!isWaiting || prompt === null) return null;
  const send = async (event: Event) => {
    event.preventDefault();
    const value = input.current?.value ?? "";
    if (input.current) input.current.value = "";
    try {
      await answerPrompt(card.key, { token: prompt.token, value });
      notify("done", "The password was typed.");
      setPrompt(null);
    } catch (error) {
      notify("failed", error instanceof CallError ? error.message : String(error));
      await load();
    }
  };
  const who = prompt.program === null ? "The program" : visibleLine(prompt.program);
  return (
    <form class="password" onSubmit={(event) => void send(event)} autocomplete="off">
      <label>
        {who} in session {nameOf(card)} waits for a password
        <input
          ref={input}
          type="password"
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          data-1p-ignore
          data-lpignore="true"
        />
      </label>
      <button type="submit" class="primary">
        Type it
      </button>
      <p class="facts">It goes to this prompt only. No agent, log or recording sees it.</p>
    </form>
  );
}
