import { expect, test } from "vitest";
import type { KnownHost } from "../lease/known-host.ts";
import { describeShortage } from "./describe-shortage.ts";

const host = (name: string, more: Partial<KnownHost> = {}): KnownHost => ({
  name,
  epoch: 1,
  state: "up",
  labels: ["gpu", "zone=a"],
  free: 0,
  sessions: 4,
  ageMs: 0,
  ...more,
});

test("an empty fleet says how to start a host", () => {
  expect(describeShortage([], "gpu")).toBe(
    "The fleet has no hosts. Start one with: limpet host run --join nats://SERVER --name NAME",
  );
});

test("labels that no host has are named, with those that there are", () => {
  expect(describeShortage([host("a"), host("b", { labels: ["zone=b"] })], "gpu && zone=b")).toBe(
    'None of the 2 hosts matches "gpu && zone=b"; their labels are gpu, zone=a, zone=b. ' +
      "Use these, or start a host with: limpet host run --label LABEL",
  );
  expect(describeShortage([host("a", { labels: [] })], "gpu")).toBe(
    'The only host does not match "gpu"; it has no labels. ' +
      "Use these, or start a host with: limpet host run --label LABEL",
  );
});

test("each host that matches has its reason", () => {
  const hosts = [
    host("full-1"),
    host("full-2", { sessions: 8 }),
    host("drains", { state: "draining", free: 3 }),
    host("gone", { state: "unreachable", free: 3 }),
    host("mute", { free: 3 }),
    host("other", { labels: [], free: 3 }),
  ];

  expect(describeShortage(hosts, "gpu")).toBe(
    'No host that matches "gpu" can take a session: full-1, full-2 are full (12 sessions); ' +
      "mute did not answer in time; drains is draining; gone is unreachable. " +
      "End sessions there, or start another host with these labels.",
  );
});

test("a fleet of which every host is unreachable does not ask to end sessions", () => {
  expect(describeShortage([host("a", { state: "unreachable" })], undefined)).toBe(
    "No host of the fleet can take a session: a is unreachable. " +
      "Check these machines and their connection to NATS, or start another host with these labels.",
  );
});

test("a sentence names eight hosts and counts the others", () => {
  const hosts = Array.from({ length: 12 }, (_, index) => host(`h${index + 10}`));

  expect(describeShortage(hosts, undefined)).toContain("h16, h17 and 4 more are full (48 sessions).");
});
