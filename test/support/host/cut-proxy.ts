/** A proxy between a client and a host that cuts the connection where a test says: before, during or after a message. */
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Connect } from "../../../src/host/client/connect-request.ts";
import { type HostClient, hostClient } from "../../../src/host/client/host-client.ts";
import { temporaryDirectory } from "../watching.ts";

/** Where one connection is cut. */
export type Cut =
  /**
   * When this many bytes have passed in this direction since `plan`, or since a later connection was opened. The rest
   * of that message is lost.
   */
  | { readonly kind: "bytes"; readonly to: "host" | "client"; readonly count: number; readonly end: CutEnd }
  | { readonly kind: "time"; readonly afterMs: number; readonly end: CutEnd };

/** `half-open`: the host does not notice, and its answers go nowhere. */
type CutEnd = "both" | "half-open";

export interface CutProxy {
  /** Through the proxy. */
  readonly client: HostClient;
  /**
   * Each cut applies to one connection: the first to the open connection if that has no cut yet, the others to the next
   * ones.
   */
  plan(cuts: readonly Cut[]): void;
  /** How many have happened. */
  readonly cuts: number;
}

/** Starts no host: it must be running already. */
export async function cutProxy(stateDirectory: string): Promise<CutProxy> {
  const path = join(temporaryDirectory(), "proxy.sock");
  const links = new Set<ProxiedLink>();
  let planned: Cut[] = [];
  let cuts = 0;
  const take = (link: ProxiedLink) => {
    const cut = planned.shift();
    if (cut) link.arm(cut);
  };
  const server = createServer((toClient) => {
    const toHost = connect(join(stateDirectory, "host.sock"));
    const link: ProxiedLink = new ProxiedLink(toClient, toHost, () => {
      cuts += 1;
      links.delete(link);
    });
    links.add(link);
    take(link);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const reach: Connect = () =>
    new Promise((resolve, reject) => {
      const socket = connect(path, () => resolve(socket));
      socket.once("error", reject);
    });
  const client = hostClient(reach, { stateDirectory });
  onTestFinished(() => {
    client.disconnect();
    server.close();
    for (const link of links) link.destroy();
  });
  return {
    client,
    plan(given) {
      planned = [...given];
      const open = [...links].at(-1);
      if (open) take(open);
    },
    get cuts() {
      return cuts;
    },
  };
}

class ProxiedLink {
  readonly #toClient: Socket;
  readonly #toHost: Socket;
  readonly #onCut: () => void;
  #cut: Cut | undefined;
  #passed = { host: 0, client: 0 };
  #timer: NodeJS.Timeout | undefined;
  #isCut = false;

  constructor(toClient: Socket, toHost: Socket, onCut: () => void) {
    this.#toClient = toClient;
    this.#toHost = toHost;
    this.#onCut = onCut;
    toClient.on("data", (chunk: Buffer) => this.#pass(chunk, "host"));
    toHost.on("data", (chunk: Buffer) => this.#pass(chunk, "client"));
    for (const [one, other] of [
      [toClient, toHost],
      [toHost, toClient],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => {
        if (!this.#isCut) other.destroy();
      });
    }
  }

  /** Bytes count from now on. */
  arm(cut: Cut): void {
    this.#cut = cut;
    this.#passed = { host: 0, client: 0 };
    if (cut.kind === "time") this.#timer = setTimeout(() => this.#end(cut.end), cut.afterMs);
    else if (cut.count === 0) this.#end(cut.end);
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#toClient.destroy();
    this.#toHost.destroy();
  }

  #pass(chunk: Buffer, to: "host" | "client"): void {
    if (this.#isCut) return;
    const socket = to === "host" ? this.#toHost : this.#toClient;
    const cut = this.#cut;
    const before = this.#passed[to];
    this.#passed[to] += chunk.length;
    if (cut?.kind !== "bytes" || cut.to !== to || this.#passed[to] < cut.count) {
      socket.write(chunk);
      return;
    }
    const last = chunk.subarray(0, cut.count - before);
    // What was written before the cut arrives.
    socket.write(last, () => this.#end(cut.end));
    this.#isCut = true;
  }

  #end(end: CutEnd): void {
    clearTimeout(this.#timer);
    if (this.#toClient.destroyed) return;
    this.#isCut = true;
    this.#toClient.destroy();
    if (end === "both") this.#toHost.destroy();
    this.#onCut();
  }
}
