import { expect, test } from "vitest";
import { MAX_WEB_GRANTS, WEB_IDLE_SIGN_IN_MS, WEB_LINK_MS, WEB_SIGN_IN_MS } from "../../../base/web-limits.ts";
import { Grants } from "./grants.ts";

const OWN = { right: "control", session: null } as const;
const SHARE = { right: "view", session: "7", forMs: 60_000 } as const;

function grantsAt() {
  const clock = { ms: 1_000_000 };
  const grants = new Grants(() => clock.ms);
  const signIn = (request: Parameters<Grants["issue"]>[0] = OWN) => {
    const { key } = grants.issue(request);
    const signedIn = grants.redeem(key);
    if (!signedIn) throw new Error("not signed in");
    return { key, ...signedIn };
  };
  return { grants, clock, signIn };
}

test("a link is used once", () => {
  const { grants, signIn } = grantsAt();
  const { key, cookie } = signIn();

  expect(grants.redeem(key)).toBeUndefined();
  expect(grants.find(cookie)?.visitor).toEqual({ caller: "web 1", right: "control", isPerson: true, session: null });
});

test("keys, cookies and what is like them do not stand for each other", () => {
  const { grants, signIn } = grantsAt();
  const { key, cookie } = signIn();
  const { key: unused } = grants.issue(OWN);

  for (const wrong of ["", key, unused, cookie.slice(0, -1), `${cookie}A`, cookie.toLowerCase(), "x".repeat(10_000)])
    expect(grants.find(wrong)).toBeUndefined();
  expect(grants.redeem(cookie)).toBeUndefined();
  expect(grants.redeem(unused.slice(0, -1))).toBeUndefined();
  expect(grants.redeem(unused)).toBeDefined();
});

test("a link that nobody uses expires", () => {
  const { grants, clock } = grantsAt();
  const { key } = grants.issue(OWN);
  clock.ms += WEB_LINK_MS;

  expect(grants.redeem(key)).toBeUndefined();
  expect(grants.list()).toEqual([]);
});

test("a sign-in ends after a day without use, and after a week", () => {
  const { grants, clock, signIn } = grantsAt();
  const { cookie, signal } = signIn();
  for (let days = 0; days < 6; days += 1) {
    clock.ms += WEB_IDLE_SIGN_IN_MS - 1;
    expect(grants.find(cookie)).toBeDefined();
  }
  clock.ms += WEB_SIGN_IN_MS - 6 * (WEB_IDLE_SIGN_IN_MS - 1);

  expect(grants.find(cookie)).toBeUndefined();
  expect(signal.aborted).toBe(true);

  const idle = signIn();
  clock.ms += WEB_IDLE_SIGN_IN_MS;
  expect(grants.find(idle.cookie)).toBeUndefined();
});

test("an open page counts as use", () => {
  const { grants, clock, signIn } = grantsAt();
  const { cookie, id } = signIn();
  for (let days = 0; days < 3; days += 1) {
    clock.ms += WEB_IDLE_SIGN_IN_MS - 1;
    grants.sweep(new Set([id]));
  }

  expect(grants.find(cookie)).toBeDefined();
});

test("a share ends when it was said to, however much it is used", () => {
  const { grants, clock, signIn } = grantsAt();
  const { cookie, signal, visitor, forMs } = signIn(SHARE);

  expect(visitor).toMatchObject({ right: "view", session: "7" });
  expect(forMs).toBe(60_000);
  clock.ms += 60_000;
  grants.sweep();
  expect(signal.aborted).toBe(true);
  expect(grants.find(cookie)).toBeUndefined();
});

test("revoking ends a sign-in at once, and a link before it is used", () => {
  const { grants, signIn } = grantsAt();
  const { id, cookie, signal } = signIn(SHARE);
  const { key, grant } = grants.issue(SHARE);

  expect([grants.revoke(id), grants.revoke(grant.id), grants.revoke("99")]).toEqual([true, true, false]);
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toMatchObject({ code: "NOT_SIGNED_IN" });
  expect([grants.find(cookie), grants.redeem(key)]).toEqual([undefined, undefined]);
});

test("the list has no keys", () => {
  const { grants, signIn } = grantsAt();
  signIn(SHARE);
  grants.issue(OWN);

  const base = { createdMs: 1_000_000 };
  expect(grants.list()).toEqual([
    { ...base, id: "1", kind: "share", right: "view", session: "7", expiresMs: 1_060_000, isUsed: true },
    {
      ...base,
      id: "2",
      kind: "own",
      right: "control",
      session: null,
      expiresMs: 1_000_000 + WEB_LINK_MS,
      isUsed: false,
    },
  ]);
});

test("links that nobody uses make room, sign-ins do not", () => {
  const { grants, signIn } = grantsAt();
  const first = grants.issue(OWN);
  for (let count = 0; count < MAX_WEB_GRANTS; count += 1) grants.issue(OWN);
  expect(grants.list()).toHaveLength(MAX_WEB_GRANTS);
  expect(grants.redeem(first.key)).toBeUndefined();

  for (let count = 0; count < MAX_WEB_GRANTS; count += 1) signIn();
  expect(() => grants.issue(OWN)).toThrow("256 visitors");
});
