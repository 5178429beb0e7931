/** The terminal of a session: a person watches it, and types into it once in control. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { describeExit } from "../../../base/exit.ts";
import type { PageEvents, SessionCard } from "../../api/messages.ts";
import type { TerminalFollower } from "../state/connection.ts";
import { InputQueue } from "../state/input-queue.ts";
import { attempt, connection, notify } from "../state/page.ts";
import { lendSize, sendInput } from "../state/requests.ts";
import type { PageTerminal } from "../terminal/page-terminal.ts";
import { Dialog } from "./dialog.tsx";
import { KeyBar } from "./key-bar.tsx";
import { useColourScheme } from "./use-colour-scheme.ts";

export interface TerminalPaneProps {
  readonly card: SessionCard;
  readonly isControlled: boolean;
}

/** If more than this is not drawn yet, the page starts over with the current screen. */
const MOST_PENDING_BYTES = 8_000_000;

const LOST = "Its host died before the program ended. The output is still readable.";

export function TerminalPane({ card, isControlled }: TerminalPaneProps): JSX.Element {
  const { key } = card;
  const box = useRef<HTMLElement>(null);
  // A state, because its code may arrive after the person has taken over.
  const [terminal, setTerminal] = useState<PageTerminal | null>(null);
  const isCtrl = useRef(false);
  const [hasCtrl, setCtrl] = useState(false);
  const [isFitted, setFitted] = useState(false);
  const [link, setLink] = useState<string | null>(null);
  const [end, setEnd] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(true);
  const theme = useColourScheme();
  const [queue] = useState(() => inputQueueFor(key));

  const holdCtrl = (next: boolean) => {
    isCtrl.current = next;
    setCtrl(next);
  };
  const typed = (text: string) => {
    const isLetter = isCtrl.current && text.length === 1;
    if (isCtrl.current) holdCtrl(false);
    queue.add(isLetter ? { kind: "keys", keys: [`Ctrl+${text}`] } : { kind: "text", text });
  };

  useEffect(() => {
    let close = () => {};
    let isGone = false;
    const open = async () => {
      const { PageTerminal } = await import("../terminal/page-terminal.ts");
      if (isGone || !box.current) return;
      const opened = new PageTerminal(box.current, {
        theme,
        onTyped: typed,
        onPaste: (text) => queue.add({ kind: "paste", text }),
        onLink: setLink,
        onLeave: () => document.getElementById("control")?.focus(),
      });
      setTerminal(opened);
      const unfollow = connection.follow(key, followerOf(opened, { onShown: () => setLoading(false), onEnd: setEnd }));
      const resized = new ResizeObserver(() => opened.fitFont());
      resized.observe(box.current);
      close = () => {
        resized.disconnect();
        unfollow();
        opened.dispose();
        setTerminal(null);
      };
    };
    void open();
    return () => {
      isGone = true;
      close();
    };
  }, [key]);
  useEffect(() => terminal?.setControlled({ isControlled }), [terminal, isControlled]);
  useEffect(() => terminal?.setTheme(theme), [terminal, theme]);

  // The list knows of a host that died before a new one has found the session's output.
  const ending = end ?? (card.lost ? LOST : isLoading ? "Loading the screen…" : null);

  const changeSize = async () => {
    const size = isFitted ? null : (terminal?.fittingSize() ?? null);
    if (await attempt(() => lendSize(key, size))) setFitted(size !== null);
  };

  return (
    <section class="terminal-pane" aria-label="Terminal">
      <section
        ref={box}
        class={isControlled ? "screen-box controlled" : "screen-box"}
        aria-label="Screen"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
        tabIndex={0}
      />
      {ending !== null && (
        <p class="end" role="status">
          {ending}
        </p>
      )}
      {isControlled && (
        <KeyBar
          hasCtrl={hasCtrl}
          onCtrl={() => holdCtrl(!hasCtrl)}
          onKey={(name) => {
            queue.add({ kind: "keys", keys: [hasCtrl ? `Ctrl+${name}` : name] });
            holdCtrl(false);
          }}
          onPaste={(text) => queue.add({ kind: "paste", text })}
          isFitted={isFitted}
          onFit={() => void changeSize()}
        />
      )}
      {link !== null && <OpenLink address={link} onClose={() => setLink(null)} />}
    </section>
  );
}

function inputQueueFor(key: string): InputQueue {
  return new InputQueue({
    send: (message) => sendInput(key, message),
    onFailed: (error) => notify("failed", error instanceof Error ? error.message : String(error)),
  });
}

interface Watching {
  /** Called when the screen has arrived. */
  readonly onShown: () => void;
  readonly onEnd: (text: string | null) => void;
}

function followerOf(terminal: PageTerminal, { onShown, onEnd }: Watching): TerminalFollower {
  let pending = 0;
  return {
    onScreen: ({ size, bytes, isPlain }) => {
      onShown();
      onEnd(null);
      terminal.show({ size, bytes: decode(bytes), isPlain });
    },
    onOutput: ({ bytes }) => {
      const decoded = decode(bytes);
      pending += decoded.length;
      terminal.write(decoded, () => {
        pending -= decoded.length;
      });
      if (pending > MOST_PENDING_BYTES) connection.openAnew();
    },
    onSize: ({ size }) => terminal.resize(size),
    onCommand: () => {},
    onEnded: (event) => onEnd(describeEnd(event)),
  };
}

function describeEnd({ exit, isLost }: PageEvents["ended"]): string {
  if (exit) return `The program ${describeExit(exit)}.`;
  return isLost ? LOST : "The session was closed.";
}

function decode(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
}

/** A program chose where the link leads: the person sees that before it opens. */
function OpenLink({ address, onClose }: { readonly address: string; readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Open this link?" onClose={onClose}>
      <p>A program printed it. It leads to:</p>
      <p class="address">{new URL(address).href}</p>
      <div class="buttons">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <a class="button" href={new URL(address).href} target="_blank" rel="noopener noreferrer" onClick={onClose}>
          Open
        </a>
      </div>
    </Dialog>
  );
}
