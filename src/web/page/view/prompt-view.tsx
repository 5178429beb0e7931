/** A page with only a box for the password that one program waits for, for links to one prompt. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import { nameOf } from "../state/announcements.ts";
import { attempt } from "../state/page.ts";
import { askPrompt } from "../state/requests.ts";
import { PasswordForm, type Prompt } from "./password-form.tsx";

type Stage = "asking" | "gone" | "typed" | Prompt;

const WORDS: Readonly<Record<Extract<Stage, string>, string>> = {
  asking: "Loading…",
  gone: "The program no longer waits for this password. You can close this page.",
  typed: "The password was typed. You can close this page.",
};

export function PromptView({ sessionKey }: { readonly sessionKey: string }): JSX.Element {
  const [stage, setStage] = useState<Stage>("asking");
  const load = () => attempt(async () => setStage((await askPrompt(sessionKey)) ?? "gone"));
  useEffect(() => void load(), [sessionKey]);
  const name = typeof stage === "string" ? visibleLine(sessionKey) : nameOf({ key: sessionKey, name: stage.name });
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <h1>Password for session {name}</h1>
      {typeof stage === "string" ? (
        <p role="status">{WORDS[stage]}</p>
      ) : (
        <PasswordForm
          sessionKey={sessionKey}
          name={name}
          prompt={stage}
          onTyped={() => setStage("typed")}
          onRefused={() => void load()}
        />
      )}
    </main>
  );
}
