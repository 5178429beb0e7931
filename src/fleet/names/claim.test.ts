import fc from "fast-check";
import { expect, test } from "vitest";
import { type Claim, hashOf, isShared, judgeClaim } from "./claim.ts";

const claim = (host: string, revision: number, isHeld = false): Claim => ({ host, revision, isHeld });

test("the first claim wins, and the others learn who has the name", () => {
  const claims = [claim("a", 3), claim("b", 5), claim("c", 9)];

  const verdicts = claims.map((own) => judgeClaim(own, claims));

  expect(verdicts).toEqual([{ kind: "ours" }, { kind: "taken", host: "a" }, { kind: "taken", host: "a" }]);
});

test("a session that runs keeps its name, however late its host has written it again", () => {
  expect(judgeClaim(claim("a", 3), [claim("a", 3), claim("b", 5, true)])).toEqual({ kind: "taken", host: "b" });
});

test("nothing is decided by what was read before the own claim was stored", () => {
  expect(judgeClaim(claim("a", 3), [])).toEqual({ kind: "unseen" });
  expect(judgeClaim(claim("a", 3), [claim("a", 2), claim("b", 5)])).toEqual({ kind: "unseen" });
});

test("of claims at the same time exactly one wins, in whatever order they are read", () => {
  const hosts = fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(hosts, (revisions) => {
      const claims = revisions.map((revision) => claim(`host-${revision}`, revision));
      const winners = claims.filter((own) => judgeClaim(own, claims).kind === "ours");

      expect(winners).toEqual([claims.find(({ revision }) => revision === Math.min(...revisions))]);
    }),
  );
});

test("a name belongs to a project, and default shells have names of their hosts", () => {
  const hashes = [
    { project: "a", name: "dev" },
    { project: "b", name: "dev" },
    { project: null, name: "dev" },
  ].map(hashOf);

  expect(new Set(hashes).size).toBe(3);
  expect(hashes.every((hash) => /^[0-9a-f]{32}$/.test(hash))).toBe(true);
  expect(["dev", "default", "default-2", "default-x"].map(isShared)).toEqual([true, false, false, true]);
});
