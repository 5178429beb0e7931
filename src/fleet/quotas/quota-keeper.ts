/**
 * Keeps a host within the quotas of the fleet. Before it starts a session for a door, it writes that it is about to,
 * and then reads the counts of all hosts. If two hosts do so at the same time, at least one sees the other. The counts
 * of unreachable hosts are included.
 */
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { Semaphore } from "../../base/async/semaphore.ts";
import { withTimeout } from "../../base/async/with-timeout.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Bucket, Bus } from "../nats/bus.ts";
import { Rounds } from "../nats/rounds.ts";
import { errorOfRefusal, type QuotaRefusal, refusalBy } from "./quota-refusal.ts";
import { parseQuotas, type QuotaOwner, type Quotas, type Share, sharesOf } from "./quotas.ts";
import {
  COUNTS,
  COUNTS_MAX_AGE_MS,
  countKey,
  encodeCount,
  hashOfShare,
  judgeCounts,
  readCount,
  type SessionCount,
  sumOf,
} from "./session-count.ts";
import { QUOTAS, QUOTAS_KEY } from "./stored-quotas.ts";

export interface QuotaKeeperOptions {
  readonly host: string;
  /** The owners of the running sessions. */
  readonly running: () => readonly QuotaOwner[];
  /** Whether the host holds its lease. Without a lease, a later process of the host may have written its own counts. */
  readonly mayServe: () => boolean;
  readonly everyMs: number;
  readonly onProblem: (text: string) => void;
}

interface Buckets {
  readonly quotas: Bucket;
  readonly counts: Bucket;
}

interface Written extends SessionCount {
  readonly revision: number;
  readonly writtenMs: number;
}

/** Long before NATS deletes the count because of its age. */
const WRITE_AGAIN_MS = COUNTS_MAX_AGE_MS / 3;
const LEAVE_MS = 1_000;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [50, 250];
/** How often and at which interval a replica is read that does not have our count yet. */
const [MAX_READS, READ_AGAIN_MS] = [20, 50];

export class QuotaKeeper {
  readonly #bus: Bus;
  readonly #options: QuotaKeeperOptions;
  readonly #rounds: Rounds;
  /** One at a time: they write the same keys. */
  readonly #turns = new Semaphore(1);
  readonly #starting = new Set<{ readonly owner: QuotaOwner }>();
  #buckets: Buckets | undefined;
  /** The quotas as last read. */
  #quotas: Quotas | undefined;
  /** The counts of this host in NATS, by the hash of the share. */
  #written = new Map<string, Written>();

  constructor(bus: Bus, options: QuotaKeeperOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#rounds = new Rounds(bus, {
      what: "fleet: quotas",
      everyMs: options.everyMs,
      work: () => this.#turns.pass(() => this.#write()),
      startOver: () => {
        this.#buckets = undefined;
      },
      onProblem: options.onProblem,
    });
  }

  /** Whether there was a quota when they were last read. True before the first reading. */
  get hasQuotas(): boolean {
    return this.#quotas === undefined || this.#quotas.callers.size > 0 || this.#quotas.projects.size > 0;
  }

  /**
   * Reserves one more session for this owner. Resolves with a function that ends the reservation. Rejects with
   * FLEET_FULL, and with FLEET_UNREACHABLE if the number of sessions is unknown.
   */
  async reserve(owner: QuotaOwner): Promise<() => void> {
    const reservation = { owner };
    const release = () => void (this.#starting.delete(reservation) && this.#rounds.runSoon());
    const askedMs = performance.now();
    for (;;) {
      const waitedMs = performance.now() - askedMs;
      const refusal = await this.#turns.pass(() => this.#tryToReserve(reservation)).catch(refusalBy);
      if (!refusal) return release;
      const error = errorOfRefusal(refusal, waitedMs);
      if (error) throw error;
      await sleep(randomInt(MIN_PAUSE_MS, MAX_PAUSE_MS));
    }
  }

  /** Call when a session of this owner has started. It counts as running, and no longer as reserved. */
  noteOpened(owner: QuotaOwner): void {
    const isSame = (one: QuotaOwner) => one.caller === owner.caller && one.project === owner.project;
    const reservation = [...this.#starting].find((each) => isSame(each.owner));
    if (reservation) this.#starting.delete(reservation);
  }

  noteChange(): void {
    this.#rounds.runSoon();
  }

  /** Deletes the counts, because the host and its sessions end. */
  async close(): Promise<void> {
    await withTimeout(LEAVE_MS, this.#rounds.close());
    const { counts } = this.#buckets ?? {};
    if (!counts || !this.#options.mayServe()) return;
    const keys = [...this.#written.keys()].map((hash) => countKey(hash, this.#options.host));
    await withTimeout(LEAVE_MS, Promise.allSettled(keys.map((key) => counts.delete(key))));
  }

  async #tryToReserve(reservation: { readonly owner: QuotaOwner }): Promise<QuotaRefusal | undefined> {
    const shares = sharesOf(await this.#latest(), reservation.owner);
    if (shares.length === 0) return undefined;
    if (!this.#options.mayServe()) throw new Error("The lease of this host has expired.");
    const { counts } = await this.#opened();
    this.#starting.add(reservation);
    const refusal = await this.#refusalOf(counts, shares).catch((error: unknown) => {
      this.#starting.delete(reservation);
      throw error;
    });
    if (!refusal) return undefined;
    this.#starting.delete(reservation);
    for (const share of shares) await this.#put(counts, hashOfShare(share), this.#countOf(share));
    return refusal;
  }

  /** The first quota that the session would exceed. */
  async #refusalOf(counts: Bucket, shares: readonly Share[]): Promise<QuotaRefusal | undefined> {
    for (const share of shares) {
      const all = await this.#countAll(counts, share);
      const verdict = judgeCounts(share.most, all);
      const { running, starting } = sumOf(all);
      if (verdict !== "free") return { verdict, share, running: verdict === "full" ? running : running + starting - 1 };
    }
    return undefined;
  }

  /** The current quotas; without NATS, those that were read last. */
  async #latest(): Promise<Quotas> {
    try {
      if (!this.#options.mayServe()) throw new Error("The lease of this host has expired.");
      this.#quotas = await readQuotas((await this.#opened()).quotas);
      return this.#quotas;
    } catch (error) {
      if (!this.#quotas || (error instanceof LimpetError && error.code === "BAD_CONFIG")) throw error;
      return this.#quotas;
    }
  }

  /** The counts of all hosts, read after our own was stored. */
  async #countAll(counts: Bucket, share: Share): Promise<readonly SessionCount[]> {
    const hash = hashOfShare(share);
    const revision = await this.#put(counts, hash, this.#countOf(share));
    for (let read = 0; read < MAX_READS; read += 1) {
      const entries = await counts.match(`${hash}.*`);
      if (entries.some((entry) => entry.revision === revision)) return entries.map(readCount);
      await sleep(READ_AGAIN_MS);
    }
    throw new Error("NATS does not show the counts of this host.");
  }

  async #write(): Promise<void> {
    if (!this.#options.mayServe()) return;
    const { quotas, counts } = await this.#opened();
    const known = await readQuotas(quotas);
    this.#quotas = known;
    const owners = [...this.#options.running(), ...[...this.#starting].map(({ owner }) => owner)];
    const shares = new Map(owners.flatMap((owner) => sharesOf(known, owner)).map((each) => [hashOfShare(each), each]));
    for (const [hash, share] of shares) await this.#put(counts, hash, this.#countOf(share));
    for (const hash of [...this.#written.keys()])
      if (!shares.has(hash)) {
        this.#written.delete(hash);
        await counts.delete(countKey(hash, this.#options.host));
      }
  }

  #countOf(share: Share): SessionCount {
    const bound: Quotas = { callers: new Map(), projects: new Map(), [`${share.what}s`]: new Map([[share.name, 1]]) };
    const isOfShare = (owner: QuotaOwner) => sharesOf(bound, owner).length > 0;
    return {
      running: this.#options.running().filter(isOfShare).length,
      starting: [...this.#starting].filter(({ owner }) => isOfShare(owner)).length,
    };
  }

  /** Writes a count, and returns its revision in NATS. */
  async #put(counts: Bucket, hash: string, count: SessionCount): Promise<number> {
    const before = this.#written.get(hash);
    const isSame = before?.running === count.running && before.starting === count.starting;
    if (before && isSame && performance.now() - before.writtenMs < WRITE_AGAIN_MS) return before.revision;
    const key = countKey(hash, this.#options.host);
    const revision = await counts.replace(key, encodeCount(count), before?.revision ?? 0);
    if (revision === undefined) {
      this.#buckets = undefined;
      throw new Error("Another process writes the counts of this host.");
    }
    this.#written.set(hash, { ...count, revision, writtenMs: performance.now() });
    return revision;
  }

  /** Reads our counts from NATS, which may have lost some, or may have counts of an earlier epoch. */
  async #opened(): Promise<Buckets> {
    if (this.#buckets) return this.#buckets;
    const [quotas, counts] = await Promise.all([
      this.#bus.bucket(QUOTAS),
      this.#bus.bucket(COUNTS, { maxAgeMs: COUNTS_MAX_AGE_MS }),
    ]);
    const found = await counts.match(countKey("*", this.#options.host));
    const writtenMs = Number.NEGATIVE_INFINITY;
    this.#written = new Map(
      found.map((entry) => [
        entry.key.split(".")[0] ?? "",
        { ...readCount(entry), revision: entry.revision, writtenMs },
      ]),
    );
    this.#buckets = { quotas, counts };
    return this.#buckets;
  }
}

/** Throws if any part of the document is wrong: a mistyped quota must not become unlimited. */
async function readQuotas(bucket: Bucket): Promise<Quotas> {
  const entry = await bucket.get(QUOTAS_KEY);
  return parseQuotas(entry ? Buffer.from(entry.value).toString() : "{}");
}
