import { expect, test } from "vitest";
import type { SandboxNetwork } from "../../base/sandbox-request.ts";
import { requireLandlock } from "./require-landlock.ts";

test.each<[version: number, network: SandboxNetwork]>([
  [3, "on"],
  [3, "off"],
  [4, ["a.example"]],
  [7, ["a.example"]],
])("version %i keeps the network %j", (version, network) => {
  expect(() => requireLandlock(version, { network, keeper: "landlock" })).not.toThrow();
});

test("in namespaces, any version that keeps files keeps the network loopback", () => {
  expect(() => requireLandlock(3, { network: "loopback", keeper: "bwrap" })).not.toThrow();
  expect(() => requireLandlock(2, { network: "loopback", keeper: "bwrap" })).toThrow(/^The sandbox is not available/);
});

test.each<[version: number, network: SandboxNetwork, message: string]>([
  [
    0,
    "on",
    'The sandbox is not available: this kernel has no Landlock, and 3 is needed. Use Linux 6.2 or newer with "landlock" in its list of security modules, or pass sandbox "off".',
  ],
  [
    2,
    "off",
    'The sandbox is not available: this kernel has version 2 of Landlock, and 3 is needed. Use Linux 6.2 or newer with "landlock" in its list of security modules, or pass sandbox "off".',
  ],
  [
    3,
    ["a.example"],
    'A sandbox with a list of hosts is not available: this kernel has version 3 of Landlock, and 4 is needed. Use Linux 6.7 or newer with "landlock" in its list of security modules, or set its network to "on" or "off".',
  ],
  [
    7,
    "loopback",
    'Landlock cannot limit the network to "loopback": its rules know ports, not hosts. Set "with" to "bwrap", or the network to a list such as ["localhost:3000"].',
  ],
])("version %i refuses the network %j, with the reason and the fix", (version, network, message) => {
  expect(() => requireLandlock(version, { network, keeper: "landlock" })).toThrow(
    expect.objectContaining({ code: "SANDBOX_UNAVAILABLE", message }),
  );
});
