/** What a person can do with a session: take it over and hand it back, interrupt, freeze, close. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { SessionCard } from "../../api/messages.ts";
import { attempt, go } from "../state/page.ts";
import { close, freeze, hold, interrupt, release, rename, restart, thaw } from "../state/requests.ts";
import { Ask } from "./dialog.tsx";

export interface SessionActionsProps {
  readonly card: SessionCard;
  readonly isControlled: boolean;
  readonly setControlled: (isControlled: boolean) => void;
}

type Question = "take" | "hand" | "rename" | "restart" | "close" | null;

export function SessionActions({ card, isControlled, setControlled }: SessionActionsProps): JSX.Element {
  const [question, setQuestion] = useState<Question>(null);
  const { key, frozen } = card;
  const isHeld = card.held !== null && card.held.isTyping !== true;
  const isOver = card.exit !== null || card.lost;
  const take = async (reason: string) => {
    const isHolding = await attempt(() => hold(key, reason === "" ? null : reason));
    return isHolding ? () => setControlled(true) : undefined;
  };
  const handBack = async (note: string) => {
    if (await attempt(() => release(key, note === "" ? null : note), "Handed back.")) setControlled(false);
  };
  const startAnew = async () => {
    await attempt(async () => {
      const next = await restart(key);
      go({ kind: "session", key: next, tab: "terminal", at: null });
    }, "Restarted.");
  };
  const onClose = () => setQuestion(null);
  if (isOver) return <div class="buttons" role="toolbar" aria-label="Session" />;
  return (
    <div class="buttons" role="toolbar" aria-label="Session">
      {isControlled ? (
        <button type="button" id="control" class="primary" onClick={() => setQuestion("hand")}>
          Hand back…
        </button>
      ) : (
        <button type="button" id="control" class="primary" onClick={() => setQuestion("take")}>
          Take over…
        </button>
      )}
      {isHeld && !isControlled && (
        <button type="button" onClick={() => setQuestion("hand")}>
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
      <button type="button" onClick={() => setQuestion("rename")}>
        Rename…
      </button>
      <button type="button" onClick={() => setQuestion("restart")}>
        Restart…
      </button>
      <button type="button" class="danger" onClick={() => setQuestion("close")}>
        Close…
      </button>
      {question === "take" && (
        <Ask
          title="Take over"
          explain="You type, and agents cannot until you hand it back. Everybody sees that, and your reason."
          field="Reason (optional)"
          act="Take over"
          onDone={take}
          onClose={onClose}
        />
      )}
      {question === "hand" && (
        <Ask
          title="Hand back"
          explain="Agents can type again. The next answer to each of them has your note."
          field="Note for the agent (optional)"
          act="Hand back"
          onDone={(note) => void handBack(note)}
          onClose={onClose}
        />
      )}
      {question === "rename" && (
        <Ask
          title="Rename the session"
          explain="People and agents can use the name instead of the number."
          field="Name"
          act="Rename"
          onDone={(name) => void attempt(() => rename(key, name), "Renamed.")}
          onClose={onClose}
        />
      )}
      {question === "restart" && (
        <Ask
          title="Restart the program"
          explain="The program is ended and started anew, with the same arguments, directory and name."
          act="Restart"
          isDangerous
          onDone={() => void startAnew()}
          onClose={onClose}
        />
      )}
      {question === "close" && (
        <Ask
          title="Close the session"
          explain="Its program and everything that it started are ended. The output stays readable."
          act="Close"
          isDangerous
          onDone={() => void attempt(() => close(key), "Closed.")}
          onClose={onClose}
        />
      )}
    </div>
  );
}
