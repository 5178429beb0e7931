/** Where the page begins: signs in, connects, and draws. */
import { options, render } from "preact";
import { connection, pageStore, viewStore } from "./state/page.ts";
import { signInWith, takeKey } from "./state/sign-in.ts";
import { parseAddress } from "./state/view-address.ts";
import { App } from "./view/app.tsx";
import { SignInView } from "./view/sign-in-view.tsx";

// Many events in one frame are drawn once.
options.debounceRendering = (draw) => requestAnimationFrame(draw);

void start();

async function start(): Promise<void> {
  const root = document.getElementById("page");
  if (!root) throw new Error("The page has no element page.");
  const signedIn = await signInWith(takeKey());
  if (signedIn.kind !== "in") {
    render(<SignInView state={signedIn} />, root);
    return;
  }
  viewStore.update(() => parseAddress(location.hash));
  pageStore.update((state) => ({ ...state, me: signedIn.me }));
  connection.open();
  render(<App />, root);
}
