/** One session: its terminal, commands, output, recordings and details. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import type { SessionCard } from "../../api/messages.ts";
import { nameOf } from "../state/announcements.ts";
import { notify, pageStore } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { sessionAddress, TABS, type Tab, type View } from "../state/view-address.ts";
import { Badges } from "./badges.tsx";
import { CommandList } from "./command-list.tsx";
import { OutputPane } from "./output-pane.tsx";
import { PasswordBox } from "./password-box.tsx";
import { RecordingList } from "./recording-list.tsx";
import { SessionActions } from "./session-actions.tsx";
import { SessionFacts } from "./session-facts.tsx";
import { TerminalPane } from "./terminal-pane.tsx";

const LABELS: Readonly<Record<Tab, string>> = {
  terminal: "Terminal",
  commands: "Commands",
  output: "Output",
  recordings: "Recordings",
  details: "Details",
};

export function SessionView({ view }: { readonly view: Extract<View, { kind: "session" }> }): JSX.Element {
  const card = useStore(pageStore, (state) => state.cards?.get(view.key));
  const hasCards = useStore(pageStore, (state) => state.cards !== null);
  const isShared = useStore(pageStore, (state) => state.me?.session !== null);
  return (
    <main id="main" class="session" tabIndex={-1}>
      {!isShared && (
        <a class="back" href="#/">
          ← All sessions
        </a>
      )}
      {card ? (
        <Shown key={card.key} card={card} view={view} />
      ) : (
        <>
          <h1>Session {visibleLine(view.key)}</h1>
          {hasCards && <p class="empty">There is no such session. It may have been closed.</p>}
        </>
      )}
    </main>
  );
}

interface ShownProps {
  readonly card: SessionCard;
  readonly view: Extract<View, { kind: "session" }>;
}

function Shown({ card, view }: ShownProps): JSX.Element {
  const me = useStore(pageStore, (state) => state.me);
  const [isControlled, setControlled] = useControl(card);
  const canControl = me?.right === "control";
  return (
    <>
      <header class="session-head">
        <h1>{nameOf(card)}</h1>
        <p class="state">{visibleLine(card.stateText)}</p>
        <Badges card={card} />
        {canControl ? (
          <SessionActions card={card} isControlled={isControlled} setControlled={setControlled} />
        ) : (
          <p class="facts">You can watch, not type.</p>
        )}
      </header>
      <nav class="tabs" aria-label="Session">
        {TABS.map((tab) => (
          <a
            key={tab}
            class="tab"
            href={sessionAddress(card.key, tab)}
            aria-current={view.tab === tab ? "page" : undefined}
          >
            {LABELS[tab]}
          </a>
        ))}
      </nav>
      {canControl && me.isPerson && <PasswordBox card={card} />}
      <TabContent card={card} view={view} isControlled={isControlled} canControl={canControl} />
    </>
  );
}

interface TabProps extends ShownProps {
  readonly isControlled: boolean;
  readonly canControl: boolean;
}

function TabContent({ card, view, isControlled, canControl }: TabProps): JSX.Element {
  switch (view.tab) {
    case "terminal":
      return <TerminalPane card={card} isControlled={isControlled} />;
    case "commands":
      return <CommandList card={card} />;
    case "output":
      return <OutputPane card={card} at={view.at} />;
    case "recordings":
      return <RecordingList card={card} canControl={canControl} />;
    case "details":
      return <SessionFacts card={card} />;
  }
}

/** Whether this page is in control. It ends when somebody else releases the session. */
function useControl(card: SessionCard): readonly [boolean, (isControlled: boolean) => void] {
  const [isControlled, setControlled] = useState(false);
  const wasHeld = useRef(false);
  const isHeld = card.held !== null;
  useEffect(() => {
    if (isControlled && wasHeld.current && !isHeld) {
      setControlled(false);
      notify("done", "Somebody else released the session.");
    }
    wasHeld.current = isControlled && isHeld;
  }, [isControlled, isHeld]);
  const set = (next: boolean) => {
    wasHeld.current = false;
    setControlled(next);
  };
  return [isControlled, set];
}
