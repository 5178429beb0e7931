/** All sessions as tiles, those that wait for a person first. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import { chooseCards, type Filter, SHOWN, type Shown } from "../state/choose-cards.ts";
import { pageStore } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { Tile } from "./tile.tsx";

const LABELS: Readonly<Record<Shown, string>> = {
  all: "All sessions",
  waiting: "Waiting for you",
  running: "Running",
  idle: "Idle shells",
  ended: "Ended",
};

export function SessionList(): JSX.Element {
  const cards = useStore(pageStore, (state) => state.cards);
  const [filter, setFilter] = useState<Filter>({ text: "", show: "all" });
  const shown = cards ? chooseCards(cards.values(), filter) : [];
  return (
    <main id="main" tabIndex={-1}>
      <h1 class="spoken">Sessions</h1>
      <search class="filter">
        <label>
          <span class="spoken">Search sessions</span>
          <input
            type="search"
            id="search"
            placeholder="Search: name, command, port, project…"
            autocomplete="off"
            value={filter.text}
            onInput={({ currentTarget: { value } }) => setFilter((now) => ({ ...now, text: value }))}
          />
        </label>
        <label>
          <span class="spoken">Show</span>
          <select
            value={filter.show}
            onChange={({ currentTarget: { value } }) => setFilter((now) => ({ ...now, show: value as Shown }))}
          >
            {SHOWN.map((each) => (
              <option key={each} value={each}>
                {LABELS[each]}
              </option>
            ))}
          </select>
        </label>
      </search>
      <Silent />
      {cards && shown.length === 0 && <p class="empty">{emptyText(cards.size)}</p>}
      {/* biome-ignore lint/a11y/noRedundantRoles: WebKit drops the role of a list without bullets. */}
      <ul class="tiles" role="list" aria-label="Sessions" aria-busy={cards === null}>
        {shown.map((card) => (
          <Tile key={card.key} card={card} />
        ))}
      </ul>
    </main>
  );
}

function emptyText(count: number): string {
  if (count > 0) return "No session matches.";
  return "No sessions are running. They appear here when an agent starts one, or when you run limpet start.";
}

/** Places that do not answer: their sessions are missing. */
function Silent(): JSX.Element | null {
  const silent = useStore(pageStore, (state) => state.silent);
  if (silent.length === 0) return null;
  return (
    <ul class="silent" aria-label="Places that do not answer">
      {silent.map(({ place, problem }) => (
        <li key={place}>
          <strong>{visibleLine(place)}</strong> does not answer: {visibleLine(problem)}
        </li>
      ))}
    </ul>
  );
}
