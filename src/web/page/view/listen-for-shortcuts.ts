/** Keyboard shortcuts of the page. They do not work where a person types: in a field, and in the terminal. */
import { go, viewStore } from "../state/page.ts";
import { TABS } from "../state/view-address.ts";

/** Returns a function that removes them. */
export function listenForShortcuts(openHelp: () => void): () => void {
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    // A dialog has its own keys.
    if (document.querySelector("dialog[open]")) return;
    const act = actOf(event.key, openHelp);
    if (!act) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

function actOf(key: string, openHelp: () => void): (() => void) | undefined {
  const view = viewStore.value;
  const tab = view.kind === "session" ? TABS[Number(key) - 1] : undefined;
  if (view.kind === "session" && tab) return () => go({ ...view, tab, at: null });
  const move = view.kind === "sessions" ? { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[key] : undefined;
  if (move !== undefined) return () => moveFocus(move);
  return {
    "?": openHelp,
    "/": () => document.getElementById("search")?.focus(),
    s: () => go({ kind: "sessions" }),
    a: () => go({ kind: "approvals" }),
    t: () => document.getElementById("control")?.click(),
  }[key];
}

function moveFocus(step: number): void {
  const tiles = [...document.querySelectorAll<HTMLElement>(".tile a.open")];
  const at = tiles.indexOf(document.activeElement as HTMLElement);
  const next = at === -1 ? (step > 0 ? 0 : tiles.length - 1) : at + step;
  tiles[Math.min(Math.max(0, next), tiles.length - 1)]?.focus();
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // The input field of a terminal that is only watched receives no keys.
  return target.isContentEditable || target.matches("input, textarea:not([readonly]), select");
}
