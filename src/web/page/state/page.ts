/** What all views share: the state, the connection, the view that is shown, and messages for the person. */
import { CallError } from "./call.ts";
import { Connection } from "./connection.ts";
import { addNotice, dropNotice, FIRST_STATE, type Notice, type PageState } from "./page-state.ts";
import { Store } from "./store.ts";
import { addressOf, parseAddress, type View } from "./view-address.ts";

const NOTICE_MS = 8_000;

export const pageStore: Store<PageState> = new Store(FIRST_STATE);
export const connection: Connection = new Connection(pageStore);
export const viewStore: Store<View> = new Store<View>(parseAddress(location.hash));

addEventListener("hashchange", () => viewStore.update(() => parseAddress(location.hash)));

export function go(view: View): void {
  location.hash = addressOf(view);
}

/** A message that vanishes by itself. */
export function notify(kind: Notice["kind"], text: string): void {
  pageStore.update((state) => addNotice(state, kind, text));
  const id = pageStore.value.notices.at(-1)?.id ?? 0;
  setTimeout(() => pageStore.update((state) => dropNotice(state, id)), NOTICE_MS);
}

/** Runs `act`, and shows the error to the person if the server refuses it. True if it succeeded. */
export async function attempt(act: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await act();
    if (done !== undefined) notify("done", done);
    return true;
  } catch (error) {
    notify("failed", error instanceof CallError ? error.message : String(error));
    return false;
  }
}
