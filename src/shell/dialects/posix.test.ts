import { expect, test } from "vitest";
import { ash } from "./ash.ts";
import { posix } from "./posix.ts";

const paths = { command: "/c", end: "/e", startGate: "/s", endGate: "/g", keyGate: "/k" };

test.each([
  ["dash", posix],
  ["ash", ash],
])("%s, which reports ended jobs before each line, reads all of ours around a command as one", (_, dialect) => {
  const request = { nonce: "n", command: "echo one\necho two", redirects: "", paths, flags: "", status: 0 };

  const { command } = dialect.frame(request, "p".repeat(16));

  expect(command.replace("echo one\necho two", "COMMAND").trimEnd()).not.toContain("\n");
});
