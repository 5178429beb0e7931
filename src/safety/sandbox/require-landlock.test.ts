import { expect, test } from "vitest";
import type { SandboxNetwork } from "../../base/sandbox-request.ts";
import { requireLandlock } from "./require-landlock.ts";

test.each<[version: number, network: SandboxNetwork]>([
  [3, "on"],
  [3, "off"],
  [4, ["a.example"]],
  [7, ["a.example"]],
])("version %i keeps the network %j", (version, network) => {
  expect(() => requireLandlock(version, network)).not.toThrow();
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
    'A sandbox cannot keep the network "loopback": the kernel\'s rules know ports and not hosts. Use a list such as ["localhost:3000"], or "off".',
  ],
])("version %i refuses the network %j, with the reason and the fix", (version, network, message) => {
  expect(() => requireLandlock(version, network)).toThrow(
    expect.objectContaining({ code: "SANDBOX_UNAVAILABLE", message }),
  );
});
