import { expect, test } from "vitest";
import { fingerprintOf } from "./with-known-fingerprint.ts";

const KEY = "AAAAC3NzaC1lZDI1NTE5AAAAIJdD7y3aLq454yWBdwLWbieU1ebz9/cu7/QEXn9OIeZJ";

test.each([
  ["a plain line", `build ssh-ed25519 ${KEY}`],
  ["a line with a mark and a comment", `@revoked [build]:22,10.0.0.1 ssh-ed25519 ${KEY} me@build`],
  ["a line with a hashed name", `|1|F1E1KeoE/eEWhi10WpGv4OdiO6Y=|3988QV0VE8wmZL7suNrYQLITLCg= ssh-ed25519 ${KEY}`],
])("%s has the fingerprint that ssh-keygen shows", (_what, line) => {
  expect(fingerprintOf(line)).toBe("SHA256:T7SvZ2cslqpPj6nKzitCBHHlpVF3r3MvLwmFL0fk0IE (ssh-ed25519)");
});

test("a line without a key has none", () => {
  expect(["", "# comment", "build", "build ssh-ed25519"].map(fingerprintOf)).toEqual(Array(4).fill(undefined));
});
