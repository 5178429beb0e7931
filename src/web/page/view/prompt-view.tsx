/** A page with nothing but the password that one program waits for. */
import type { JSX } from "preact";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import { nameOf } from "../state/announcements.ts";
import { pageStore } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { PasswordBox } from "./password-box.tsx";

export function PromptView({ sessionKey }: { readonly sessionKey: string }): JSX.Element {
  const card = useStore(pageStore, (state) => state.cards?.get(sessionKey));
  const hasCards = useStore(pageStore, (state) => state.cards !== null);
  return (
    <main id="main" class="sign-in" tabIndex={-1}>
      <h1>Password for session {card ? nameOf(card) : visibleLine(sessionKey)}</h1>
      {card?.waitingFor === "password" ? (
        <>
          <p>It runs: {visibleLine(card.command ?? card.program)}</p>
          <PasswordBox card={card} />
        </>
      ) : (
        hasCards && <p>It does not wait for a password now. You can close this page.</p>
      )}
    </main>
  );
}
