/** What is wrong with the connection, and messages for the person. */
import type { JSX } from "preact";
import { visibleLine } from "../../../text/clean/quote-line.ts";
import { pageStore } from "../state/page.ts";
import { useStore } from "../state/store.ts";

export function Banner(): JSX.Element {
  const link = useStore(pageStore, (state) => state.link);
  const hostProblem = useStore(pageStore, (state) => state.hostProblem);
  return (
    <div role="status" class="banners">
      {link === "lost" && (
        <p class="banner">The connection to limpet is lost. What you see is old; the page is reconnecting.</p>
      )}
      {link !== "lost" && hostProblem !== null && (
        <p class="banner">The host does not answer: {visibleLine(hostProblem)} The page tries again by itself.</p>
      )}
    </div>
  );
}

export function Notices(): JSX.Element {
  const notices = useStore(pageStore, (state) => state.notices);
  return (
    <div class="notices" role="status">
      {notices.map(({ id, kind, text }) => (
        <p key={id} class={`notice ${kind}`}>
          {text}
        </p>
      ))}
    </div>
  );
}
