/** A separate network for a server, in which a test can drop all packets silently. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { separateNetwork } from "../separate-network.ts";
import { temporaryDirectory } from "../watching.ts";

export interface LossyNetwork {
  /** Words before a program that runs inside of it. */
  readonly inside: readonly string[];
  /** A line of ssh_config(5) that leads into it. */
  readonly proxyCommand: string;
  drop(): void;
  heal(): void;
}

const RELAY = `import { connect } from "node:net";
const socket = connect(Number(process.argv[2]), "127.0.0.1");
process.stdin.pipe(socket).pipe(process.stdout);
socket.on("error", () => process.exit(1)).on("close", () => process.exit(0));
`;

/** Needs root, `ip` and `iptables`. It goes with the test. */
export async function lossyNetwork(): Promise<LossyNetwork> {
  const { inside, holder, drop, heal } = await separateNetwork();
  onTestFinished(() => void holder.kill("SIGKILL"));
  const relay = join(temporaryDirectory(), "relay.mjs");
  writeFileSync(relay, RELAY);
  return {
    inside,
    proxyCommand: `ProxyCommand ${inside.join(" ")} ${process.execPath} ${relay} %p`,
    drop,
    heal,
  };
}
