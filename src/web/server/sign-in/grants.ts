/**
 * Who may sign in: links that were not used yet, and visitors who have used one. Held in memory only, so all of them
 * end with the server. A link works once; its key is exchanged for a cookie.
 */

import { LimpetError } from "../../../base/limpet-error.ts";
import { MAX_WEB_GRANTS, WEB_IDLE_SIGN_IN_MS, WEB_LINK_MS, WEB_SIGN_IN_MS } from "../../../base/web-limits.ts";
import type { Right, Visitor } from "../route.ts";
import { findByKey, newKey } from "./secret-key.ts";

/** What a link gives to whoever opens it. */
export interface GrantRequest {
  readonly right: Right;
  /** The one session that it is for; null: all. */
  readonly session: string | null;
  /** Undefined: it is for the person of this machine. */
  readonly forMs?: number;
  /** The token of the one password prompt that it is for. Default: it is for all that the right allows. */
  readonly prompt?: string;
}

/** As `limpet web shares` lists it. */
export interface ListedGrant {
  readonly id: string;
  readonly kind: "own" | "share" | "prompt";
  readonly right: Right;
  readonly session: string | null;
  readonly createdMs: number;
  readonly expiresMs: number;
  /** Whether somebody has used the link. */
  readonly isUsed: boolean;
}

/** Somebody who has signed in. */
export interface Visit {
  readonly id: string;
  readonly visitor: Visitor;
  /** Aborted when it is revoked, signed out, or has expired. */
  readonly signal: AbortSignal;
}

export interface SignedIn extends Visit {
  readonly cookie: string;
  /** How long the cookie is valid. */
  readonly forMs: number;
}

interface Grant extends Omit<ListedGrant, "isUsed" | "expiresMs"> {
  /** Until the link is used. */
  keyHash: Buffer | undefined;
  cookieHash: Buffer | undefined;
  expiresMs: number;
  usedMs: number;
  readonly prompt: string | undefined;
  readonly end: AbortController;
}

export class Grants {
  readonly #now: () => number;
  readonly #grants = new Map<string, Grant>();
  #count = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A new link. `key` is returned only here. */
  issue(request: GrantRequest): { readonly key: string; readonly grant: ListedGrant } {
    const { key, hash } = newKey();
    const grant = this.#add(request, request.forMs ?? WEB_LINK_MS);
    grant.keyHash = hash;
    return { key, grant: listed(grant) };
  }

  /** Undefined if the key is wrong, was used, or has expired. */
  redeem(key: string): SignedIn | undefined {
    this.sweep();
    const grant = findByKey(
      key,
      this.#hashed((each) => each.keyHash),
    );
    if (grant === undefined) return undefined;
    grant.keyHash = undefined;
    if (grant.kind === "own") grant.expiresMs = this.#now() + WEB_SIGN_IN_MS;
    return this.#signIn(grant);
  }

  /** Signs in somebody who has proved their identity in another way. */
  admit(): SignedIn {
    return this.#signIn(this.#add({ right: "control", session: null }, WEB_SIGN_IN_MS));
  }

  /** Undefined if nobody has this cookie. */
  find(cookie: string): Visit | undefined {
    this.sweep();
    const grant = findByKey(
      cookie,
      this.#hashed((each) => each.cookieHash),
    );
    if (grant === undefined) return undefined;
    grant.usedMs = this.#now();
    return visitOf(grant);
  }

  /** False if there is none with this id. */
  revoke(id: string): boolean {
    const grant = this.#grants.get(id);
    grant?.end.abort(new LimpetError("NOT_SIGNED_IN", "Your access was revoked. Ask for another link."));
    return this.#grants.delete(id);
  }

  list(): readonly ListedGrant[] {
    this.sweep();
    return [...this.#grants.values()].map(listed);
  }

  /** Ends what has expired. Open streams count as use. */
  sweep(inUse: ReadonlySet<string> = new Set()): void {
    const now = this.#now();
    for (const grant of this.#grants.values()) {
      if (inUse.has(grant.id)) grant.usedMs = now;
      const isIdle = grant.cookieHash !== undefined && now - grant.usedMs >= WEB_IDLE_SIGN_IN_MS;
      if (now >= grant.expiresMs || isIdle) this.revoke(grant.id);
    }
  }

  #add({ right, session, prompt, forMs: shared }: GrantRequest, forMs: number): Grant {
    this.sweep();
    if (this.#grants.size >= MAX_WEB_GRANTS) this.#dropUnused();
    this.#count += 1;
    const now = this.#now();
    const grant: Grant = {
      id: String(this.#count),
      kind: prompt === undefined ? (shared === undefined ? "own" : "share") : "prompt",
      prompt,
      right,
      session,
      createdMs: now,
      expiresMs: now + forMs,
      usedMs: now,
      keyHash: undefined,
      cookieHash: undefined,
      end: new AbortController(),
    };
    this.#grants.set(grant.id, grant);
    return grant;
  }

  /** Makes room: drops the oldest link that nobody has opened. */
  #dropUnused(): void {
    const oldest = [...this.#grants.values()].find(({ cookieHash }) => cookieHash === undefined);
    if (oldest === undefined)
      throw new LimpetError(
        "TOO_MANY_REQUESTS",
        `${MAX_WEB_GRANTS} visitors are signed in. End some with limpet web revoke.`,
      );
    this.revoke(oldest.id);
  }

  #signIn(grant: Grant): SignedIn {
    const { key: cookie, hash } = newKey();
    grant.cookieHash = hash;
    grant.usedMs = this.#now();
    return { ...visitOf(grant), cookie, forMs: grant.expiresMs - this.#now() };
  }

  *#hashed(hashIn: (grant: Grant) => Buffer | undefined): Generator<readonly [Buffer, Grant]> {
    for (const grant of this.#grants.values()) {
      const hash = hashIn(grant);
      if (hash) yield [hash, grant];
    }
  }
}

function visitOf({ id, right, session, prompt, end }: Grant): Visit {
  const limits = prompt === undefined ? {} : { prompt };
  return { id, visitor: { caller: `web ${id}`, right, isPerson: true, session, ...limits }, signal: end.signal };
}

function listed({ id, kind, right, session, createdMs, expiresMs, cookieHash }: Grant): ListedGrant {
  return { id, kind, right, session, createdMs, expiresMs, isUsed: cookieHash !== undefined };
}
