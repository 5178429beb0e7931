/** Keys that a phone does not have, a paste for where there is no clipboard key, and the size on request. */
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { Ask } from "./dialog.tsx";

/** Names of keys as the server knows them, what is on the button, and what is spoken, which begins with a word on it. */
const KEYS: readonly (readonly [name: string, shown: string, spoken: string])[] = [
  ["Esc", "Esc", "Esc, Escape"],
  ["Tab", "Tab", "Tab"],
  ["Left", "←", "Left"],
  ["Up", "↑", "Up"],
  ["Down", "↓", "Down"],
  ["Right", "→", "Right"],
  ["Home", "Home", "Home"],
  ["End", "End", "End"],
  ["PageUp", "PgUp", "PgUp, page up"],
  ["PageDown", "PgDn", "PgDn, page down"],
  ["Enter", "⏎", "Enter"],
];

export interface KeyBarProps {
  readonly hasCtrl: boolean;
  readonly onCtrl: () => void;
  readonly onKey: (name: string) => void;
  readonly onPaste: (text: string) => void;
  readonly isFitted: boolean;
  readonly onFit: () => void;
}

export function KeyBar({ hasCtrl, onCtrl, onKey, onPaste, isFitted, onFit }: KeyBarProps): JSX.Element {
  const [isPasting, setPasting] = useState(false);
  // The terminal keeps the focus, and a phone its keyboard.
  const keepFocus = (event: Event) => event.preventDefault();
  return (
    <div class="keys" role="toolbar" aria-label="Keys">
      <button type="button" aria-pressed={hasCtrl} onPointerDown={keepFocus} onClick={onCtrl}>
        Ctrl
      </button>
      {KEYS.map(([name, shown, spoken]) => (
        <button type="button" key={name} aria-label={spoken} onPointerDown={keepFocus} onClick={() => onKey(name)}>
          {shown}
        </button>
      ))}
      <button type="button" onClick={() => setPasting(true)}>
        Paste…
      </button>
      <button type="button" aria-pressed={isFitted} onClick={onFit}>
        Fit size
      </button>
      <p class="facts">Ctrl+Shift+H leaves the terminal.</p>
      {isPasting && (
        <Ask
          title="Paste"
          explain="A program that supports bracketed paste receives it as one paste."
          field="Text"
          isLong
          act="Paste"
          onDone={(text) => void (text !== "" && onPaste(text))}
          onClose={() => setPasting(false)}
        />
      )}
    </div>
  );
}
