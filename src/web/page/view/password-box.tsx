/** The password that the program of a session waits for, if it does. */
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { SessionCard } from "../../api/messages.ts";
import { nameOf } from "../state/announcements.ts";
import { attempt } from "../state/page.ts";
import { askPrompt } from "../state/requests.ts";
import { PasswordForm, type Prompt } from "./password-form.tsx";

export function PasswordBox({ card }: { readonly card: SessionCard }): JSX.Element | null {
  const { key, outputBytes } = card;
  const [prompt, setPrompt] = useState<Prompt | null>(null);
  const isWaiting = card.waitingFor === "password";
  const load = () => attempt(async () => setPrompt(await askPrompt(key)));
  useEffect(() => {
    if (isWaiting) void load();
    else setPrompt(null);
  }, [key, isWaiting, outputBytes]);
  if (!isWaiting || prompt === null) return null;
  return (
    <PasswordForm
      sessionKey={key}
      name={nameOf(card)}
      prompt={prompt}
      onTyped={() => setPrompt(null)}
      onRefused={() => void load()}
    />
  );
}
