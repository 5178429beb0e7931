import { expect, test } from "vitest";
import type { FileKind } from "../file-kind.ts";
import { isRelayClient } from "./is-relay-client.ts";

test.each<[string, FileKind[], number, boolean]>([
  ["ssh", ["network"], 1, true],
  ["docker", [], 9, true],
  ["tmux: server", ["other"], 1, true],
  ["python3", ["network"], 1, true],
  ["python3", ["network", "wake-up"], 1, true],
  ["python3", ["network", "network"], 1, false],
  ["python3", ["listening"], 1, false],
  ["python3", ["other"], 1, false],
  ["node", ["network", "wake-up"], 11, false],
  ["bash", [], 1, false],
])("%s that waits for %o in %i threads passes keys on: %s", (name, others, threads, isClient) => {
  expect(isRelayClient(name, others, threads)).toBe(isClient);
});
