/** What a browser sees that is not signed in, and what to do about it. */
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { askWays, signInByPassword } from "../state/requests.ts";
import type { SignedIn } from "../state/sign-in.ts";

export type NotIn = Exclude<SignedIn, { kind: "in" }>;

export function SignInView({ state }: { readonly state: NotIn }): JSX.Element {
  const [title, text] = wordsOf(state);
  return (
    <main id="main" class="sign-in">
      <h1>{title}</h1>
      <p>{text}</p>
      <p>
        Run <kbd>limpet web</kbd> on the machine of the sessions. It prints a new link; open that in this browser.
      </p>
      <PasswordForm />
      <button type="button" onClick={() => location.reload()}>
        Try again
      </button>
    </main>
  );
}

/** For servers that have a password. */
function PasswordForm(): JSX.Element | null {
  const [hasPassword, setHasPassword] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    void askWays().then(
      ({ password }) => setHasPassword(password),
      () => {},
    );
  }, []);
  if (!hasPassword) return null;
  const submit = async (event: Event) => {
    event.preventDefault();
    const given = input.current?.value ?? "";
    if (input.current) input.current.value = "";
    try {
      await signInByPassword(given);
      location.reload();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <form class="password" onSubmit={(event) => void submit(event)}>
      <label>
        Or sign in with the password of this server
        <input ref={input} type="password" autocomplete="off" />
      </label>
      <button type="submit" class="primary">
        Sign in
      </button>
      <p role="alert">{problem}</p>
    </form>
  );
}

function wordsOf(state: NotIn): readonly [title: string, text: string] {
  if (state.kind === "failed") return ["limpet web does not answer", state.reason];
  if (state.isUsedKey)
    return ["This link was used already", "A link signs in one browser, once, and expires after some minutes."];
  return ["You are not signed in", "This browser may not see the sessions, or its sign-in has expired."];
}
