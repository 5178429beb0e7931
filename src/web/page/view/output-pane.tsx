/** All output of a session as text, from any place on, and a search in it. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { OutputAnswer, SearchAnswer, SessionCard } from "../../api/messages.ts";
import { attempt } from "../state/page.ts";
import { askOutput, search } from "../state/requests.ts";
import { sessionAddress } from "../state/view-address.ts";

export interface OutputPaneProps {
  readonly card: SessionCard;
  /** Where to start. Null: near the end. */
  readonly at: number | null;
}

const PIECE_BYTES = 64_000;

export function OutputPane({ card, at }: OutputPaneProps): JSX.Element {
  const { key, outputBytes } = card;
  const [pieces, setPieces] = useState<readonly OutputAnswer[]>([]);
  const [first, last] = [pieces[0], pieces.at(-1)];
  const start = at ?? Math.max(0, outputBytes - PIECE_BYTES);
  const load = async (from: number, to: number | null, place: "only" | "before" | "after") => {
    await attempt(async () => {
      const piece = await askOutput(key, from, to);
      setPieces((known) => ({ only: [piece], before: [piece, ...known], after: [...known, piece] })[place]);
    });
  };
  useEffect(() => {
    // The list may be some seconds old, so where the output ends is known only when it is read.
    void load(start, at === null ? null : Math.min(start + PIECE_BYTES, Math.max(outputBytes, start)), "only");
  }, [key, at]);
  const dropped = pieces.reduce((sum, piece) => sum + piece.dropped, 0);
  return (
    <section aria-label="Output" class="output">
      <OutputSearch sessionKey={key} />
      {dropped > 0 && <p class="facts">{dropped} bytes before this were dropped.</p>}
      {first && first.from > 0 && (
        <button type="button" onClick={() => void load(Math.max(0, first.from - PIECE_BYTES), first.from, "before")}>
          Earlier
        </button>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it. */}
      <section class="text" tabIndex={0} aria-label="Text of the output">
        <pre>{pieces.map(({ text }) => text).join("")}</pre>
      </section>
      {last && last.next < outputBytes && (
        <button
          type="button"
          onClick={() => void load(last.next, Math.min(last.next + PIECE_BYTES, outputBytes), "after")}
        >
          Later
        </button>
      )}
    </section>
  );
}

function OutputSearch({ sessionKey }: { readonly sessionKey: string }): JSX.Element {
  const [found, setFound] = useState<SearchAnswer | null>(null);
  const field = useRef<HTMLInputElement>(null);
  const find = (event: Event) => {
    event.preventDefault();
    const text = field.current?.value ?? "";
    if (text === "") setFound(null);
    else void attempt(async () => setFound(await search(sessionKey, text)));
  };
  return (
    <search>
      <form class="filter" onSubmit={find}>
        <label>
          <span class="spoken">Search in the output</span>
          <input ref={field} type="search" id="search" placeholder="Search in all output" autocomplete="off" />
        </label>
        <button type="submit">Search</button>
      </form>
      <p role="status" class="facts">
        {found && describeFound(found)}
      </p>
      {found && found.lines.length > 0 && (
        <ol class="hits" aria-label="Lines that match">
          {found.lines.map(({ line, cursor, text: shown }) => (
            <li key={line}>
              <a href={sessionAddress(sessionKey, "output", cursor)}>
                <span class="facts">{line}</span> <code>{shown}</code>
              </a>
            </li>
          ))}
        </ol>
      )}
    </search>
  );
}

function describeFound({ matches, totalMatches, totalLines }: SearchAnswer): string {
  const lines = `${totalMatches} of ${totalLines} lines match`;
  return matches < totalMatches ? `${lines}; the first ${matches} are shown` : lines;
}
