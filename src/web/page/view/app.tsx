/** The whole page: its head, one view, and what is announced. */
import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { announcementOf, countWaiting } from "../state/announcements.ts";
import { pageStore, viewStore } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import type { View } from "../state/view-address.ts";
import { ApprovalList } from "./approval-list.tsx";
import { Banner, Notices } from "./banner.tsx";
import { HeadBar } from "./head-bar.tsx";
import { HelpDialog } from "./help-dialog.tsx";
import { listenForShortcuts } from "./listen-for-shortcuts.ts";
import { PromptView } from "./prompt-view.tsx";
import { SessionList } from "./session-list.tsx";
import { SessionView } from "./session-view.tsx";
import { SignInView } from "./sign-in-view.tsx";

export function App(): JSX.Element {
  const view = useShownView();
  const link = useStore(pageStore, (state) => state.link);
  const [hasHelp, setHelp] = useState(false);
  // Before the page is shown: a key that is pressed at once counts.
  useLayoutEffect(() => listenForShortcuts(() => setHelp(true)), []);
  useFocusOnChange(view);
  if (link === "signedOut") return <SignInView state={{ kind: "out", isUsedKey: false }} />;
  return (
    <>
      <HeadBar view={view} onHelp={() => setHelp(true)} />
      <Banner />
      <ViewOf view={view} />
      <Notices />
      <Announcer />
      {hasHelp && <HelpDialog onClose={() => setHelp(false)} />}
    </>
  );
}

/** A shared link is for one session: every other address shows that session. */
function useShownView(): View {
  const view = useStore(viewStore, (value) => value);
  const only = useStore(pageStore, (state) => state.me?.session ?? null);
  const isElsewhere = only !== null && !("key" in view && view.key === only);
  return isElsewhere ? { kind: "session", key: only, tab: "terminal", at: null } : view;
}

function ViewOf({ view }: { readonly view: View }): JSX.Element {
  switch (view.kind) {
    case "sessions":
      return <SessionList />;
    case "approvals":
      return <ApprovalList />;
    case "session":
      return <SessionView view={view} />;
    case "prompt":
      return <PromptView sessionKey={view.key} />;
  }
}

/** Moves the focus to a new view, for people who use a keyboard or a screen reader. */
function useFocusOnChange(view: View): void {
  const shown = `${view.kind} ${"key" in view ? view.key : ""}`;
  const isFirst = useRef(true);
  useEffect(() => {
    if (!isFirst.current) document.getElementById("main")?.focus();
    isFirst.current = false;
  }, [shown]);
}

function Announcer(): JSX.Element {
  const [text, setText] = useState("");
  useEffect(() => {
    let before = pageStore.value;
    const look = () => {
      const next = announcementOf(before, pageStore.value);
      before = pageStore.value;
      if (next !== null) setText(next);
      const waiting = countWaiting(pageStore.value);
      const title = waiting > 0 ? `(${waiting}) limpet` : "limpet";
      if (document.title !== title) document.title = title;
    };
    look();
    return pageStore.subscribe(look);
  }, []);
  return (
    <p class="spoken" role="status" aria-live="polite">
      {text}
    </p>
  );
}
