/**
 * Keeps a host within the quotas of the fleet. Before it starts a session for a door, it writes that it is about to,
 * and then reads the numbers of all hosts: of two hosts that do so at the same time, at least one sees the other. What
 * hosts that are out of reach have written counts, too.
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
  /** The owners of the sessions that run. */
  readonly running: () => readonly QuotaOwner[];
  /** The host holds its lease: otherwise, a later process of it may have written its own numbers. */
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

/** Long before NATS forgets it. */
const WRITE_AGAIN_MS = COUNTS_MAX_AGE_MS / 3;
const LEAVE_MS = 1_000;
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [50, 250];
/** A replica that has not stored the own number yet is asked again. */
const [MAX_READS, READ_AGAIN_MS] = [20, 50];

export class QuotaKeeper {
  readonly #bus: Bus;
  readonly #options: QuotaKeeperOptions;
  readonly #rounds: Rounds;
  /** One at a time: they write the same keys. */
  readonly #turns = new Semaphore(1);
  readonly #starting = new Set<{ readonly owner: QuotaOwner }>();
  #buckets: Buckets | undefined;
  /** As they were read last. */
  #quotas: Quotas | undefined;
  /** What NATS has of this host, by share. */
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

  /** Whether there was any quota a moment ago. */
  get hasQuotas(): boolean {
    return this.#quotas === undefined || this.#quotas.callers.size > 0 || this.#quotas.projects.size > 0;
  }

  /**
   * Resolves when one more session of this owner may be started, until the function is called that it returns. Rejects
   * with FLEET_FULL, and with FLEET_UNREACHABLE if that cannot be found out.
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

  /** A session of this owner has been started: it counts among those that run. */
  noteOpened(owner: QuotaOwner): void {
    const isSame = (one: QuotaOwner) => one.caller === owner.caller && one.project === owner.project;
    const reservation = [...this.#starting].find((each) => isSame(each.owner));
    if (reservation) this.#starting.delete(reservation);
  }

  noteChange(): void {
    this.#rounds.runSoon();
  }

  /** The host ends, and its sessions with it. */
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

  /** The first quota that does not allow what is about to be started. */
  async #refusalOf(counts: Bucket, shares: readonly Share[]): Promise<QuotaRefusal | undefined> {
    for (const share of shares) {
      const all = await this.#countAll(counts, share);
      const verdict = judgeCounts(share.most, all);
      const { running, starting } = sumOf(all);
      if (verdict !== "free") return { verdict, share, running: verdict === "full" ? running : running + starting - 1 };
    }
    return undefined;
  }

  /** Without NATS, those that were there last. */
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

  /** The numbers of all hosts, read after the own one was stored. */
  async #countAll(counts: Bucket, share: Share): Promise<readonly SessionCount[]> {
    const hash = hashOfShare(share);
    const revision = await this.#put(counts, hash, this.#countOf(share));
    for (let read = 0; read < MAX_READS; read += 1) {
      const entries = await counts.match(`${hash}.*`);
      if (entries.some((entry) => entry.revision === revision)) return entries.map(readCount);
      await sleep(READ_AGAIN_MS);
    }
    throw new Error("NATS does not show the numbers of this host.");
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

  /** Returns the revision under which NATS has it. */
  async #put(counts: Bucket, hash: string, count: SessionCount): Promise<number> {
    const before = this.#written.get(hash);
    const isSame = before?.running === count.running && before.starting === count.starting;
    if (before && isSame && performance.now() - before.writtenMs < WRITE_AGAIN_MS) return before.revision;
    const key = countKey(hash, this.#options.host);
    const revision = await counts.replace(key, encodeCount(count), before?.revision ?? 0);
    if (revision === undefined) {
      this.#buckets = undefined;
      throw new Error("Others write the numbers of this host.");
    }
    this.#written.set(hash, { ...count, revision, writtenMs: performance.now() });
    return revision;
  }

  /** NATS may have forgotten what it had, or have numbers of an earlier epoch. */
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

/** What cannot be understood is refused as a whole: a quota that was mistyped must not become unlimited. */
async function readQuotas(bucket: Bucket): Promise<Quotas> {
  const entry = await bucket.get(QUOTAS_KEY);
  return parseQuotas(entry ? Buffer.from(entry.value).toString() : "{}");
}
