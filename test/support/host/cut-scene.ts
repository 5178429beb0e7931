/** A host and a client of it whose connection is cut at random points of its turns, the same ones for the same seed. */
import type { HostClient } from "../../../src/host/client/host-client.ts";
import type { TurnAnswer } from "../../../src/service/turn/turn-answer.ts";
import type { TurnRequest } from "../../../src/service/turn/turn-request.ts";
import { isLong } from "../sessions.ts";
import { type Cut, type CutProxy, cutProxy } from "./cut-proxy.ts";
import { hostAt, hostDirectory } from "./host.ts";

/** Of each test: more than 500 in all, or some 60. */
const CUTS = isLong ? 70 : 7;
export const UNREAD = { kind: "unread", fold: false, maxTokens: 1_000_000 } as const;
export const CALLER = "test";

export interface Scene {
  readonly direct: HostClient;
  readonly directory: string;
  readonly proxy: CutProxy;
  readonly random: Random;
}

export async function openScene(seed: number): Promise<Scene> {
  const directory = hostDirectory();
  const direct = hostAt(directory);
  await direct.list({ ended: false });
  return { direct, directory, proxy: await cutProxy(directory), random: new Random(seed) };
}

/** The same numbers for the same seed. */
class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(end: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((this.#state >>> 0) / 2 ** 32) * end);
  }

  /** Where one to three connections in a row are cut. */
  cuts(): readonly Cut[] {
    return Array.from({ length: 1 + this.below(3) }, () => this.#cut());
  }

  #cut(): Cut {
    const end = this.below(4) === 0 ? "half-open" : "both";
    const kind = this.below(3);
    if (kind === 0) return { kind: "time", afterMs: this.below(40), end };
    // Most of a message's bytes are inside: its first and last ones matter as much.
    const count = this.below(2) === 0 ? this.below(400) : this.below(6_000);
    return { kind: "bytes", to: kind === 1 ? "host" : "client", count, end };
  }
}

/** Turns until the proxy has cut often enough. */
export async function cutOften(
  { proxy, random }: Pick<Scene, "proxy" | "random">,
  turn: (n: number) => Promise<void>,
): Promise<number> {
  let turns = 0;
  for (; proxy.cuts < CUTS; turns += 1) {
    proxy.plan(random.cuts());
    await turn(turns);
  }
  proxy.plan([]);
  return turns;
}

export async function acknowledged(client: HostClient, request: Omit<TurnRequest, "caller">): Promise<TurnAnswer> {
  const answer = await client.turn({ caller: CALLER, ...request });
  if (answer.receipt) client.acknowledge({ caller: CALLER, receipt: answer.receipt });
  return answer;
}

export function numbersTo(count: number): string {
  return Array.from({ length: count }, (_, n) => `${n}\n`).join("");
}
