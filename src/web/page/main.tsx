/** The entry of the page: signs in, connects, and draws. */
import { options, render } from "preact";
import { connection, pageStore, viewStore } from "./state/page.ts";
import { signInWith, takeKey } from "./state/sign-in.ts";
import { parseAddress } from "./state/view-address.ts";
import { App } from "./view/app.tsx";
import { Notices } from "./view/banner.tsx";
import { PromptView } from "./view/prompt-view.tsx";
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
  const { me } = signedIn;
  if (me.isPromptOnly && me.session !== null) {
    const only = (
      <>
        <PromptView sessionKey={me.session} />
        <Notices />
      </>
    );
    render(only, root);
    return;
  }
  viewStore.update(() => parseAddress(location.hash));
  pageStore.update((state) => ({ ...state, me }));
  connection.open();
  render(<App />, root);
}
