/**
 * Keeps a host registered: writes its entry, and renews its lease. All decisions rely on writes that succeed only for
 * the revision that was read. A host that finds that it was replaced never registers again.
 */
import { withTimeout } from "../../base/async/with-timeout.ts";
import { LEASE_RENEWAL_MS } from "../lease/judge-host.ts";
import { judgeOwnLease } from "../lease/judge-own-lease.ts";
import { encodeMessage } from "../link/open-messages.ts";
import type { Bucket, Bus } from "../nats/bus.ts";
import { Rounds } from "../nats/rounds.ts";
import { judgeRegistration } from "./judge-registration.ts";
import { LEASES, type LeaseRecord, MEMBERS, type MemberRecord, readLease, readMember } from "./records.ts";

/**
 * How often the entry is written again; more often if the number of sessions has changed. Doors show the entry when the
 * lease has expired.
 */
const MEMBER_EVERY_MS = 60_000;
const CHANGED_EVERY_MS = 10_000;
const MAX_CONFLICTS = 5;
const LEAVE_MS = 500;

export interface RegistrarOptions {
  /** The current content of the lease. */
  readonly lease: () => LeaseRecord;
  readonly publicKey: string;
  /** Called with the duty that an operator gave an earlier process of this host. */
  readonly onFormerDuty: (duty: LeaseRecord["duty"]) => void;
  /** Called if this process was replaced or another host has its name. It never serves the fleet again. */
  readonly onFenced: (why: string) => void;
  readonly onProblem: (text: string) => void;
  /** How often the lease is renewed. Default: 5 s. */
  readonly renewalMs?: number | undefined;
}

interface Buckets {
  readonly leases: Bucket;
  readonly members: Bucket;
}

export class Registrar {
  readonly #bus: Bus;
  readonly #options: RegistrarOptions;
  readonly #rounds: Rounds;
  #buckets: Buckets | undefined;
  #leaseRevision = 0;
  #member: MemberRecord | undefined;
  #memberMs = Number.NEGATIVE_INFINITY;
  #renewedMs: number | undefined;
  #state: "registering" | "registered" | "fenced" | "closed" = "registering";

  constructor(bus: Bus, options: RegistrarOptions) {
    this.#bus = bus;
    this.#options = options;
    this.#rounds = new Rounds(bus, {
      what: "fleet",
      everyMs: options.renewalMs ?? LEASE_RENEWAL_MS,
      work: () => this.#renewOnce(),
      // The next round opens the buckets again and creates what is missing.
      startOver: () => {
        this.#buckets = undefined;
      },
      onProblem: options.onProblem,
    });
    void this.renew();
  }

  /** Whether the host holds its lease, as far as it knows. */
  get mayServe(): boolean {
    if (this.#state !== "registered") return false;
    const { epoch, validMs: leaseMs } = this.#options.lease();
    const facts = { epoch, renewedMs: this.#renewedMs, member: this.#member, nowMs: performance.now(), leaseMs };
    const own = judgeOwnLease(facts);
    return own === "held" || own === "due";
  }

  /** The time since the last successful renewal was sent; undefined before the first one. */
  get leaseAgeMs(): number | undefined {
    return this.#renewedMs === undefined ? undefined : performance.now() - this.#renewedMs;
  }

  /** Writes the lease now. Never rejects. */
  async renew(): Promise<void> {
    await this.#rounds.run();
  }

  /** Call when the number of sessions has changed, so that doors learn it before the next renewal. */
  noteChange(): void {
    this.#rounds.runSoon();
  }

  /** Writes the lease and the entry now. Never rejects. */
  async renewAll(): Promise<void> {
    this.#memberMs = Number.NEGATIVE_INFINITY;
    await this.#rounds.runAfresh();
  }

  /** Stops the registration for good, because another process runs under this name. */
  fence(why: string): void {
    if (this.#state === "fenced" || this.#state === "closed") return;
    this.#state = "fenced";
    this.#rounds.stop();
    this.#options.onFenced(why);
  }

  /** Deletes the lease, so that doors know at once that the host has left. */
  async close(): Promise<void> {
    const wasRegistered = this.#state === "registered";
    this.#state = "closed";
    await withTimeout(LEAVE_MS, this.#rounds.close());
    if (!wasRegistered) return;
    const { leases } = this.#buckets ?? {};
    // Without NATS, the lease expires by itself.
    await withTimeout(LEAVE_MS, leases?.delete(this.#options.lease().name).catch(() => undefined) ?? Promise.resolve());
  }

  async #renewOnce(): Promise<void> {
    if (this.#state === "fenced" || this.#state === "closed") return;
    // Counted from before the sending. Doors count from the time of receiving, which is later.
    const sentMs = performance.now();
    this.#buckets ??= await this.#openBuckets();
    if (this.#isMemberDue()) await this.#register(this.#buckets.members);
    if (this.#state !== "registered") return;
    if (await this.#writeLease(this.#buckets.leases)) this.#renewedMs = sentMs;
  }

  #isMemberDue(): boolean {
    const isChanged = this.#member?.sessions !== this.#options.lease().sessions;
    return performance.now() - this.#memberMs >= (isChanged ? CHANGED_EVERY_MS : MEMBER_EVERY_MS);
  }

  async #openBuckets(): Promise<Buckets> {
    const [leases, members] = await Promise.all([
      this.#bus.bucket(LEASES, { maxAgeMs: this.#options.lease().validMs }),
      this.#bus.bucket(MEMBERS),
    ]);
    this.#memberMs = Number.NEGATIVE_INFINITY;
    return { leases, members };
  }

  async #register(members: Bucket): Promise<void> {
    for (let attempt = 0; attempt < MAX_CONFLICTS; attempt += 1) {
      const { name, epoch, instance, labels, sessions } = this.#options.lease();
      const entry = await members.get(name);
      const found = entry && readMember(entry.value);
      const { publicKey } = this.#options;
      const verdict = judgeRegistration({ epoch, instance, publicKey }, found);
      if (verdict === "taken") return this.fence(`another host has the name ${name}. Give this one another --name`);
      if (verdict === "fenced") return this.fence(`a later process runs as ${name}, in epoch ${found?.epoch}`);
      // The first registration of this process keeps the duty that an operator gave an earlier one.
      if (found && this.#state === "registering" && found.instance !== instance) this.#options.onFormerDuty(found.duty);
      const { duty } = this.#options.lease();
      const { givenUpEpoch } = found ?? {};
      const own = { name, epoch, instance, publicKey, duty, labels, sessions, lastSeenMs: Date.now() };
      const member = givenUpEpoch === undefined ? own : { ...own, givenUpEpoch };
      if ((await members.replace(name, encodeMessage(member), entry?.revision ?? 0)) === undefined) continue;
      this.#member = member;
      this.#memberMs = performance.now();
      if (this.#state === "registering") this.#state = "registered";
      return;
    }
    throw new Error("Another process keeps writing the entry of this host. Give every host a name of its own.");
  }

  /**
   * Writes the lease. If the stored lease has another revision, checks that it is not one of a later process, and tries
   * once more. False if the lease was not written.
   */
  async #writeLease(leases: Bucket): Promise<boolean> {
    const lease = this.#options.lease();
    const revision = await leases.replace(lease.name, encodeMessage(lease), this.#leaseRevision);
    if (revision !== undefined) {
      this.#leaseRevision = revision;
      return true;
    }
    const entry = await leases.get(lease.name);
    this.#leaseRevision = entry?.revision ?? 0;
    const found = entry && readLease(entry.value);
    if (found && found.epoch > lease.epoch)
      this.fence(`a later process runs as ${lease.name}, in epoch ${found.epoch}`);
    if (this.#state !== "registered") return false;
    const again = await leases.replace(lease.name, encodeMessage(lease), this.#leaseRevision);
    this.#leaseRevision = again ?? 0;
    return again !== undefined;
  }
}
