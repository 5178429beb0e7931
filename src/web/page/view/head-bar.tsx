/** The head of the page: which machine it is, the views, and how many things wait for a person. */
import type { JSX } from "preact";
import { pageStore } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import type { View } from "../state/view-address.ts";

export interface HeadBarProps {
  readonly view: View;
  readonly onHelp: () => void;
}

export function HeadBar({ view, onHelp }: HeadBarProps): JSX.Element {
  const me = useStore(pageStore, (state) => state.me);
  const count = useStore(pageStore, (state) => state.cards?.size ?? 0);
  const asked = useStore(pageStore, (state) => state.approvals.length);
  const isShared = me?.session !== null;
  return (
    <header class="page-head">
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <span class="brand">limpet{me && <span class="machine"> on {me.machine}</span>}</span>
      {!isShared && (
        <nav aria-label="Views">
          <a class="head-link" href="#/" aria-current={view.kind === "sessions" ? "page" : undefined}>
            Sessions <span class="count">{count}</span>
          </a>
          <a class="head-link" href="#/approvals" aria-current={view.kind === "approvals" ? "page" : undefined}>
            Approvals <span class={asked > 0 ? "count urgent" : "count"}>{asked}</span>
          </a>
        </nav>
      )}
      <button type="button" class="help" aria-label="Help and keyboard shortcuts" onClick={onHelp}>
        ?
      </button>
    </header>
  );
}
