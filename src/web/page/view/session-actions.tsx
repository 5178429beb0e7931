/** What a person can do with a session: take it over and hand it back, interrupt, freeze, close. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SessionCard } from "../../api/messages.ts";
import { attempt, go } from "../state/page.ts";
import { close, freeze, hold, interrupt, release, rename, restart, thaw } from "../state/requests.ts";
import { Ask, type AskProps } from "./dialog.tsx";

export interface SessionActionsProps {
  readonly card: SessionCard;
  readonly isControlled: boolean;
  readonly setControlled: (isControlled: boolean) => void;
}

type Question = "take" | "hand" | "rename" | "restart" | "close";

const WORDS: Readonly<Record<Question, Omit<AskProps, "onDone" | "onClose">>> = {
  take: {
    title: "Take over",
    explain: "You type, and agents cannot until you hand it back. Everybody sees that, and your reason.",
    field: "Reason (optional)",
    act: "Take over",
  },
  hand: {
    title: "Hand back",
    explain: "Agents can type again. Each of them sees your note in its next answer.",
    field: "Note for the agent (optional)",
    act: "Hand back",
  },
  rename: {
    title: "Rename the session",
    explain: "People and agents can use the name instead of the number.",
    field: "Name",
    act: "Rename",
  },
  restart: {
    title: "Restart the program",
    explain: "limpet ends the program and starts it again, with the same arguments, directory and name.",
    act: "Restart",
    isDangerous: true,
  },
  close: {
    title: "Close the session",
    explain: "limpet ends its program and everything it started. The output stays readable.",
    act: "Close",
    isDangerous: true,
  },
};

export function SessionActions(props: SessionActionsProps): JSX.Element {
  const [question, setQuestion] = useState<Question | null>(null);
  const { card, isControlled } = props;
  const { key, frozen } = card;
  const isHeld = card.held !== null && card.held.isTyping !== true;
  const asking = (next: Question) => () => setQuestion(next);
  if (card.exit !== null || card.lost) return <div class="buttons" role="toolbar" aria-label="Session" />;
  return (
    <div class="buttons" role="toolbar" aria-label="Session">
      <button type="button" id="control" class="primary" onClick={asking(isControlled ? "hand" : "take")}>
        {isControlled ? "Hand back…" : "Take over…"}
      </button>
      {isHeld && !isControlled && (
        <button type="button" onClick={asking("hand")}>
          Release…
        </button>
      )}
      <button type="button" onClick={() => void attempt(() => interrupt(key), "Interrupted.")}>
        Interrupt
      </button>
      {frozen === null ? (
        <button type="button" onClick={() => void attempt(() => freeze(key), "Frozen.")}>
          Freeze
        </button>
      ) : (
        <button type="button" onClick={() => void attempt(() => thaw(key), "Thawed.")}>
          Thaw
        </button>
      )}
      <button type="button" onClick={asking("rename")}>
        Rename…
      </button>
      <button type="button" onClick={asking("restart")}>
        Restart…
      </button>
      <button type="button" class="danger" onClick={asking("close")}>
        Close…
      </button>
      {question !== null && (
        <Ask
          key={question}
          {...WORDS[question]}
          onDone={(text) => carryOut(question, text, props)}
          onClose={() => setQuestion(null)}
        />
      )}
    </div>
  );
}

/** A function that it returns is called after the dialog has closed. */
async function carryOut(
  question: Question,
  text: string,
  { card: { key }, setControlled }: SessionActionsProps,
): Promise<(() => void) | undefined> {
  const given = text === "" ? null : text;
  switch (question) {
    case "take":
      return (await attempt(() => hold(key, given))) ? () => setControlled(true) : undefined;
    case "hand":
      return (await attempt(() => release(key, given), "Handed back.")) ? () => setControlled(false) : undefined;
    case "rename":
      await attempt(() => rename(key, text), "Renamed.");
      return undefined;
    case "restart": {
      let next = key;
      const isDone = await attempt(async () => {
        next = await restart(key);
      }, "Restarted.");
      return isDone ? () => go({ kind: "session", key: next, tab: "terminal", at: null }) : undefined;
    }
    case "close":
      await attempt(() => close(key), "Closed.");
      return undefined;
  }
}
