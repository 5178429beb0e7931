import { describe, expect, test } from "vitest";
import { addressOf, parseAddress, type View } from "./view-address.ts";

describe("the address of a view", () => {
  const views: readonly View[] = [
    { kind: "sessions" },
    { kind: "approvals" },
    { kind: "prompt", key: "build/7" },
    { kind: "session", key: "7", tab: "terminal", at: null },
    { kind: "session", key: "build/7", tab: "commands", at: null },
    { kind: "session", key: "a#b?c%/../é", tab: "output", at: 1234 },
  ];

  test.each(views)("leads back to it: %j", (view) => {
    expect(parseAddress(addressOf(view))).toEqual(view);
  });

  test.each(["", "#", "#/session/", "#/session/%", "#/session/7/nothing", "#/prompt/%E0%A4%A", "#/a/../approvals"])(
    "shows all sessions for an invalid address: %s",
    (fragment) => {
      expect(parseAddress(fragment)).toEqual({ kind: "sessions" });
    },
  );
});
