/** Signs in with the key in the fragment of a link. A key works once, and leaves the address before it is used. */

import type { Me } from "../../api/messages.ts";
import { CallError } from "./call.ts";
import { askMe, signIn } from "./requests.ts";

export type SignedIn =
  | { readonly kind: "in"; readonly me: Me }
  /** `isUsedKey`: there was a key, and the server refused it. */
  | { readonly kind: "out"; readonly isUsedKey: boolean }
  | { readonly kind: "failed"; readonly reason: string };

/** Pure: the key, and the fragment without it. */
export function splitKey(fragment: string): { readonly key: string | null; readonly rest: string } {
  const [, key, rest] = /^#key=([\w.~-]+)(?:&(.*))?$/s.exec(fragment) ?? [];
  if (key === undefined) return { key: null, rest: fragment };
  const view = /^view=(.*)$/s.exec(rest ?? "")?.[1];
  return { key, rest: view?.startsWith("/") ? `#${view}` : "#/" };
}

/** Removes the key from the address and from the history of the browser. */
export function takeKey(): string | null {
  const { key, rest } = splitKey(location.hash);
  if (key !== null) history.replaceState(null, "", `${location.pathname}${rest}`);
  return key;
}

export async function signInWith(key: string | null): Promise<SignedIn> {
  try {
    if (key !== null) await signIn(key);
    return { kind: "in", me: await askMe() };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    const isRefused = error.status === 401 || error.status === 403;
    // A reload of a link that was used signs in by the cookie that it was exchanged for.
    if (isRefused && key !== null) return await signInWith(null).then(afterUsedKey);
    if (isRefused) return { kind: "out", isUsedKey: false };
    return { kind: "failed", reason: error.message };
  }
}

function afterUsedKey(signedIn: SignedIn): SignedIn {
  return signedIn.kind === "out" ? { kind: "out", isUsedKey: true } : signedIn;
}
