/**
 * Keeps the names of a host's sessions in NATS. Claims a name before it starts a session for a door, writes the names
 * of running sessions, and releases the others. A restarted host releases the names of its last epoch. An unreachable
 * host keeps its names.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../../base/async/with-timeout.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { OwnedSession } from "../../host/further-listener.ts";
import type { Bucket, Bus } from "../nats/bus.ts";
import { Rounds } from "../nats/rounds.ts";
import {
  claimKey,
  encodeClaim,
  type FleetName,
  hashOf,
  isShared,
  judgeClaim,
  NAMES,
  NAMES_MAX_AGE_MS,
  nameTakenAt,
  readClaim,
} from "./claim.ts";

export interface NameKeeperOptions {
  readonly host: string;
  readonly epoch: number;
  /** The running sessions. */
  readonly running: () => readonly OwnedSession[];
  /** Whether the host holds its lease. Without a lease, a later process of the host may have made claims. */
  readonly mayServe: () => boolean;
  readonly everyMs: number;
  readonly onProblem: (text: string) => void;
}

interface Held {
  readonly revision: number;
  readonly writtenMs: number;
}

/** Long before NATS forgets a claim. */
const WRITE_AGAIN_MS = NAMES_MAX_AGE_MS / 3;
/** How often and at which interval a replica is read that does not have our claim yet. */
const [MAX_READS, READ_AGAIN_MS] = [20, 50];
/** The host of a session that has just ended releases its name within this time. */
const TAKEN_AGAIN_MS = 700;
const SETTLE_MS = 1_000;
/** How long to wait for NATS to come back, and the pause between attempts. */
const [OUTAGE_MS, OUTAGE_PAUSE_MS] = [10_000, 200];

export class NameKeeper {
  readonly #bus: Bus;
  readonly #options: NameKeeperOptions;
  readonly #rounds: Rounds;
  #bucket: Bucket | undefined;
  /** Our claims in NATS, by the hash of the name. */
  #held = new Map<string, Held>();
  /** How many starts with a name are in progress, by the hash of the name. */
  readonly #starting = new Map<string, number>();
  /** The last release of a name. A claim waits for it, because the same name can be claimed only afterwards. */
  #givingBack: Promise<void> | undefined;

  constructor(bus: Bus, options: NameKeeperOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#rounds = new Rounds(bus, {
      what: "fleet: names",
      everyMs: options.everyMs,
      work: () => this.#write(),
      startOver: () => {
        this.#bucket = undefined;
      },
      onProblem: options.onProblem,
    });
  }

  /**
   * Claims a name, so that no other host can use it. Resolves with a function that ends the claim, unless a session
   * with the name runs by then. Rejects with NAME_TAKEN if another host has the name, and with FLEET_UNREACHABLE if
   * that is unknown.
   */
  async claim(wanted: FleetName): Promise<() => void> {
    if (!isShared(wanted.name)) return () => undefined;
    const hash = hashOf(wanted);
    this.#starting.set(hash, (this.#starting.get(hash) ?? 0) + 1);
    const release = () => {
      const count = (this.#starting.get(hash) ?? 1) - 1;
      if (count > 0) this.#starting.set(hash, count);
      else this.#starting.delete(hash);
      this.#rounds.runSoon();
    };
    try {
      const holder = (await this.#holderOnce(hash)) === undefined ? undefined : await this.#holderAfter(hash);
      if (holder !== undefined) throw nameTakenAt(holder, wanted.name);
      return release;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Call when a session has started, ended or been renamed. */
  noteChange(): void {
    this.#rounds.runSoon();
  }

  /** Resolves when unused names have been released, or after a second. */
  async settle(): Promise<void> {
    await withTimeout(SETTLE_MS, this.#rounds.runAfresh());
  }

  /** Releases all names, because the host and its sessions end. Gives up after a moment if NATS does not answer. */
  async close(): Promise<void> {
    await withTimeout(SETTLE_MS, this.#rounds.close());
    const bucket = this.#bucket;
    if (!bucket || !this.#options.mayServe()) return;
    const all = Promise.allSettled([...this.#held.keys()].map((hash) => this.#giveBack(bucket, hash)));
    await withTimeout(SETTLE_MS, all);
  }

  async #holderAfter(hash: string): Promise<string | undefined> {
    await sleep(TAKEN_AGAIN_MS);
    return await this.#holderOnce(hash);
  }

  /** Like `#holderOf`, and retries for a while if NATS does not answer. */
  async #holderOnce(hash: string): Promise<string | undefined> {
    const askedMs = performance.now();
    for (;;) {
      try {
        return await this.#holderOf(hash);
      } catch (cause) {
        if (performance.now() - askedMs >= OUTAGE_MS) throw unknownHolder(cause);
        await sleep(OUTAGE_PAUSE_MS);
      }
    }
  }

  /** Claims the name and returns undefined. If another host has the name, returns that host and claims nothing. */
  async #holderOf(hash: string): Promise<string | undefined> {
    if (!this.#bucket) await this.#rounds.run();
    const bucket = this.#bucket;
    if (!bucket) throw new Error("NATS does not show the names.");
    await this.#givingBack?.catch(() => undefined);
    // Another session of this host has the name. The host itself reports that conflict.
    if (this.#held.has(hash)) return undefined;
    const { host, epoch } = this.#options;
    const key = claimKey(host, hash);
    const revision =
      (await bucket.replace(key, encodeClaim({ epoch, isHeld: false }), 0)) ?? (await bucket.get(key))?.revision;
    for (let read = 0; revision !== undefined && read < MAX_READS; read += 1) {
      const verdict = judgeClaim({ host, revision }, (await bucket.match(`*.${hash}`)).map(readClaim));
      if (verdict.kind === "ours") this.#held.set(hash, { revision, writtenMs: performance.now() });
      if (verdict.kind === "taken") await this.#giveBack(bucket, hash);
      if (verdict.kind !== "unseen") return verdict.kind === "taken" ? verdict.host : undefined;
      await sleep(READ_AGAIN_MS);
    }
    throw new Error("NATS does not show the names of this host.");
  }

  async #write(): Promise<void> {
    if (!this.#options.mayServe()) return;
    this.#bucket ??= await this.#open();
    const wanted = new Set(
      this.#options
        .running()
        .flatMap(({ project, name }) => (name !== null && isShared(name) ? [hashOf({ project, name })] : [])),
    );
    for (const hash of wanted) {
      const held = this.#held.get(hash);
      const isDue = !held || performance.now() - held.writtenMs >= WRITE_AGAIN_MS;
      if (isDue && !this.#starting.has(hash)) await this.#hold(this.#bucket, hash, held?.revision ?? 0);
    }
    for (const hash of [...this.#held.keys()]) {
      if (!wanted.has(hash) && !this.#starting.has(hash)) await this.#giveBack(this.#bucket, hash);
    }
  }

  async #giveBack(bucket: Bucket, hash: string): Promise<void> {
    this.#held.delete(hash);
    this.#givingBack = bucket.delete(claimKey(this.#options.host, hash));
    await this.#givingBack;
  }

  /** Reads our claims from NATS, which may have lost some, or may have claims of an earlier epoch. */
  async #open(): Promise<Bucket> {
    const bucket = await this.#bus.bucket(NAMES, { maxAgeMs: NAMES_MAX_AGE_MS });
    const found = await bucket.match(claimKey(this.#options.host, "*"));
    this.#held = new Map(
      found.map(({ key, revision }) => [
        key.slice(this.#options.host.length + 1),
        // A time in the past, so that the claim is written again with `isHeld`.
        { revision, writtenMs: Number.NEGATIVE_INFINITY },
      ]),
    );
    return bucket;
  }

  async #hold(bucket: Bucket, hash: string, before: number): Promise<void> {
    const { host, epoch } = this.#options;
    const revision = await bucket.replace(claimKey(host, hash), encodeClaim({ epoch, isHeld: true }), before);
    if (revision === undefined) throw new Error("another process writes the names of this host");
    this.#held.set(hash, { revision, writtenMs: performance.now() });
  }
}

function unknownHolder(cause: unknown): LimpetError {
  return new LimpetError(
    "FLEET_UNREACHABLE",
    "Whether another host of the fleet has this name is unknown, so nothing was started. Try again, or use no name.",
    { cause },
  );
}
