/**
 * One box for the password that a program waits for. It goes to that prompt and nowhere else: the page does not keep
 * it, and the server types it only if the same program still waits.
 */
import type { JSX } from "preact";
import { useRef } from "preact/hooks";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { PromptAnswer } from "../../api/messages.ts";
import { CallError } from "../state/call.ts";
import { notify } from "../state/page.ts";
import { answerPrompt } from "../state/requests.ts";

export type Prompt = NonNullable<PromptAnswer["prompt"]>;

export interface PasswordFormProps {
  readonly sessionKey: string;
  /** The session, for people. */
  readonly name: string;
  readonly prompt: Prompt;
  readonly onTyped: () => void;
  /** The prompt is gone, or is another one. */
  readonly onRefused: () => void;
}

export function PasswordForm({ sessionKey, name, prompt, onTyped, onRefused }: PasswordFormProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const send = async (event: Event) => {
    event.preventDefault();
    const value = input.current?.value ?? "";
    if (input.current) input.current.value = "";
    try {
      await answerPrompt(sessionKey, { token: prompt.token, value });
      notify("done", "The password was typed.");
      onTyped();
    } catch (error) {
      notify("failed", error instanceof CallError ? error.message : String(error));
      onRefused();
    }
  };
  const who = prompt.program === null ? "The program" : visibleLine(prompt.program);
  return (
    <form class="password" onSubmit={(event) => void send(event)} autocomplete="off">
      <label>
        {who} in session {name} waits for a password
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
