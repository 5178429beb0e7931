/** The shortcuts, and what the words of the page mean. */
import type { JSX } from "preact";
import { attempt } from "../state/page.ts";
import { signOut } from "../state/requests.ts";
import { Dialog } from "./dialog.tsx";

const SHORTCUTS: readonly (readonly [keys: string, what: string])[] = [
  ["?", "this help"],
  ["s", "all sessions"],
  ["a", "approvals"],
  ["/", "search"],
  ["j or ↓, k or ↑", "the next or the previous session in the list"],
  ["Enter", "open it"],
  ["1 to 5", "the tabs of a session"],
  ["t", "take over, or hand back"],
  ["Ctrl+Shift+H", "leave the terminal while you are in control"],
];

export function HelpDialog({ onClose }: { readonly onClose: () => void }): JSX.Element {
  return (
    <Dialog title="Help" onClose={onClose}>
      <h3>Keys</h3>
      <dl class="shortcuts">
        {SHORTCUTS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <p>
        While you are in control and the terminal has the focus, every key goes to the program, except the last one.
      </p>
      <h3>Words</h3>
      <p>
        <strong>Take over</strong>: you type, and agents cannot until you hand the session back. <strong>Freeze</strong>
        : everything in the session pauses until you thaw it. <strong>Close</strong>: limpet ends the program and
        everything it started.
      </p>
      <div class="buttons">
        <button type="button" onClick={() => void leave()}>
          Sign out
        </button>
        <button type="button" class="primary" onClick={onClose}>
          Close help
        </button>
      </div>
    </Dialog>
  );
}

async function leave(): Promise<void> {
  if (await attempt(signOut)) location.reload();
}
