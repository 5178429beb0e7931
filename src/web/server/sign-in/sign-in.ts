/** Signing in and out. */
import { LimpetError } from "../../../base/limpet-error.ts";
import type { Attempts } from "./attempts.ts";
import type { Grants, SignedIn } from "./grants.ts";
import type { Password } from "./password.ts";

export interface SignInOptions {
  readonly grants: Grants;
  readonly attempts: Attempts;
  /** Undefined: only links grant access. */
  readonly password: Password | undefined;
}

/** Rejects with `NOT_SIGNED_IN` if what was given is wrong. `address`: where the request comes from. */
export async function signIn(options: SignInOptions, body: unknown, address: string): Promise<SignedIn> {
  const { key, password } = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  if (typeof key === "string" && password === undefined) return byLink(options, key, address);
  if (typeof password === "string" && key === undefined) return await byPassword(options, password, address);
  throw new LimpetError("BAD_REQUEST", 'The body needs the key of a link or the password. Send {"key": "…"}.');
}

/** The key of a link cannot be guessed, so it works however many other attempts have failed. */
function byLink({ grants, attempts }: SignInOptions, key: string, address: string): SignedIn {
  const signedIn = grants.redeem(key);
  if (signedIn) return signedIn;
  requirePatience(attempts, address);
  attempts.failed(address);
  throw new LimpetError("NOT_SIGNED_IN", "This link was used before, or has expired. Get another with: limpet web");
}

async function byPassword(options: SignInOptions, given: string, address: string): Promise<SignedIn> {
  const { grants, attempts, password } = options;
  if (!password) throw new LimpetError("NOT_SIGNED_IN", "This server has no password. Get a link with: limpet web");
  requirePatience(attempts, address);
  // Counted as failed before the check, because several attempts may run at once.
  attempts.failed(address);
  if (await password.matches(given)) return grants.admit();
  throw new LimpetError("NOT_SIGNED_IN", "The password is wrong. Try again.");
}

function requirePatience(attempts: Attempts, address: string): void {
  const waitMs = attempts.waitMs(address);
  if (waitMs === 0) return;
  throw new LimpetError(
    "TOO_MANY_REQUESTS",
    `Too many attempts to sign in failed. Wait ${Math.ceil(waitMs / 1000)} s, then try again.`,
  );
}
