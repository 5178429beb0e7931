/** Finds out who sends a request: somebody with a cookie, or an agent with a token. */
import type { IncomingMessage } from "node:http";
import { LimpetError } from "../../../base/limpet-error.ts";
import type { ListedToken, TokenFile } from "../../tokens/token-file.ts";
import type { Refusal } from "../refusal.ts";
import { NOT_SIGNED_IN } from "../request/check-right.ts";
import { valuesOf } from "../request/read-source.ts";
import type { Visitor } from "../route.ts";
import { type CookieRules, cookieIn } from "./cookie.ts";
import type { Grants, Visit } from "./grants.ts";

/** `nobody`: the request says nothing about who sends it. */
export type Identified =
  | { readonly kind: "visit"; readonly by: "cookie" | "token"; readonly visit: Visit }
  | { readonly kind: "nobody" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

interface TokenVisit extends Visit {
  readonly token: ListedToken;
  readonly end: AbortController;
}

export class Visitors {
  readonly grants: Grants;
  readonly #tokens: TokenFile;
  /** By name. Those that have been used since the server started and are still valid. */
  readonly #tokenVisits = new Map<string, TokenVisit>();

  constructor(grants: Grants, tokens: TokenFile) {
    this.grants = grants;
    this.#tokens = tokens;
  }

  identify(request: IncomingMessage, rules: CookieRules): Identified {
    const given = valuesOf(request.rawHeaders, "authorization");
    if (given.length > 0) return this.#byToken(given);
    const cookie = cookieIn(request.headers.cookie, rules);
    const visit = cookie === undefined ? undefined : this.grants.find(cookie);
    return visit ? { kind: "visit", by: "cookie", visit } : { kind: "nobody" };
  }

  /**
   * Ends the visits that have expired or were revoked. `inUse`: ids of visits with a request that is being answered.
   */
  sweep(inUse: ReadonlySet<string>): void {
    this.grants.sweep(inUse);
    for (const [name, { token, end }] of this.#tokenVisits) {
      if (this.#isValid(token)) continue;
      this.#tokenVisits.delete(name);
      end.abort(new LimpetError("NOT_SIGNED_IN", `The token ${name} has expired or was revoked. Create another one.`));
    }
  }

  #byToken(given: readonly string[]): Identified {
    const [, key = ""] = (given.length === 1 && /^Bearer ([\w-]{1,256})$/i.exec(given[0] ?? "")) || [];
    const token = key === "" ? undefined : this.#find(key);
    if (token === undefined) return { kind: "refused", refusal: WRONG_TOKEN };
    return { kind: "visit", by: "token", visit: this.#visitOf(token) };
  }

  #find(key: string): ListedToken | undefined {
    try {
      return this.#tokens.find(key);
    } catch (cause) {
      // For the log only: an answer to somebody unknown must not name files.
      throw new Error("The tokens cannot be read.", { cause });
    }
  }

  #visitOf(token: ListedToken): Visit {
    const known = this.#tokenVisits.get(token.name);
    if (known?.token.createdMs === token.createdMs) return known;
    known?.end.abort();
    const end = new AbortController();
    const visitor: Visitor = { caller: token.name, right: token.scope, isPerson: false, session: null };
    const visit = { id: `token ${token.name}`, visitor, signal: end.signal, token, end };
    this.#tokenVisits.set(token.name, visit);
    return visit;
  }

  /** If the file cannot be read, no token is valid. */
  #isValid(token: ListedToken): boolean {
    try {
      return this.#tokens.has(token);
    } catch {
      return false;
    }
  }
}

const WRONG_TOKEN: Refusal = {
  ...NOT_SIGNED_IN,
  message: "The token is wrong, has expired or was revoked. Create one with limpet token create.",
  headers: { "www-authenticate": 'Bearer realm="limpet", error="invalid_token"' },
};
