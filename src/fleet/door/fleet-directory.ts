/**
 * The hosts of a fleet as a door knows them: read once from NATS, then kept up to date. The entries may be out of date,
 * so a host checks every request itself.
 */
import { judgeHost, LEASE_MS, latestEpoch, type SeenLease } from "../lease/judge-host.ts";
import type { KnownHost } from "../lease/known-host.ts";
import type { Bus } from "../nats/bus.ts";
import { LEASES, type LeaseRecord, MEMBERS, type MemberRecord, readLease, readMember } from "../registry/records.ts";

/** A host with what lists show of it. */
export interface FleetHost extends KnownHost {
  readonly maxSessions: number;
  readonly load: number;
  readonly version: string | null;
  /** By the clock of the host, in milliseconds since 1970. Null if the host has no entry in the members bucket. */
  readonly lastSeenMs: number | null;
}

interface Entry {
  lease?: { readonly record: LeaseRecord; readonly seenMs: number } | undefined;
  member?: MemberRecord | undefined;
}

const PREFIX = "$KV.";

export class FleetDirectory {
  readonly #bus: Bus;
  readonly #entries = new Map<string, Entry>();
  readonly #stops: (() => void)[] = [];
  readonly #onChange: () => void;

  private constructor(bus: Bus, onChange: () => void) {
    this.#bus = bus;
    this.#onChange = onChange;
  }

  /**
   * Rejects with FLEET_UNREACHABLE without JetStream. `onChange` is called when the lease or the entry of a host
   * changes.
   */
  static async open(bus: Bus, onChange: () => void = () => undefined): Promise<FleetDirectory> {
    const directory = new FleetDirectory(bus, onChange);
    // Subscribes before it reads, so that it misses no change in between.
    directory.#follow();
    try {
      await directory.#read();
    } catch (error) {
      directory.close();
      throw error;
    }
    return directory;
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** In the order of their names. */
  hosts(): readonly FleetHost[] {
    return [...this.#entries.keys()].sort().map((name) => this.#hostOf(name));
  }

  find(name: string): FleetHost | undefined {
    return this.#entries.has(name) ? this.#hostOf(name) : undefined;
  }

  /**
   * The process that is registered under this name; undefined if none is. With `isOld`, and if the lease has a later
   * epoch, the entry is read again.
   */
  async member(name: string, options: { readonly isOld?: boolean } = {}): Promise<MemberRecord | undefined> {
    const { lease, member } = this.#entries.get(name) ?? {};
    if (options.isOld || (lease?.record.epoch ?? 0) > (member?.epoch ?? 0)) await this.#readMember(name);
    return this.#entries.get(name)?.member;
  }

  #hostOf(name: string): FleetHost {
    const { lease, member } = this.#entries.get(name) ?? {};
    const record = lease?.record;
    const seen: SeenLease | undefined = lease && {
      epoch: lease.record.epoch,
      duty: lease.record.duty,
      seenMs: lease.seenMs,
      validMs: lease.record.validMs,
    };
    const state = judgeHost({ lease: seen, member, nowMs: performance.now() });
    const { sessions = 0, maxSessions = 0 } = record ?? {};
    return {
      name,
      epoch: latestEpoch(seen, member),
      state,
      labels: record?.labels ?? member?.labels ?? [],
      free: state === "up" ? Math.max(0, maxSessions - sessions) : 0,
      sessions: record ? sessions : (member?.sessions ?? 0),
      maxSessions,
      load: record?.load ?? 0,
      version: record?.version ?? null,
      ageMs: lease ? performance.now() - lease.seenMs : null,
      lastSeenMs: member?.lastSeenMs ?? null,
    };
  }

  #follow(): void {
    this.#stops.push(
      this.#bus.subscribe(`${PREFIX}${LEASES}.*`, ({ subject, data }) => {
        // A host that leaves deletes its lease.
        if (data.length === 0) this.#dropLease(subject.split(".").at(-1) ?? "");
        else this.#takeLease(readLease(data));
      }),
      // NATS may have refused the write, so the stored value is read.
      this.#bus.subscribe(
        `${PREFIX}${MEMBERS}.*`,
        ({ subject }) => void this.#readMember(subject.split(".").at(-1) ?? ""),
      ),
      this.#bus.onBack(() => void this.#read().catch(() => undefined)),
    );
  }

  async #read(): Promise<void> {
    const [leases, members] = await Promise.all([
      this.#bus.bucket(LEASES, { maxAgeMs: LEASE_MS }),
      this.#bus.bucket(MEMBERS),
    ]);
    const [held, known] = await Promise.all([leases.all(), members.all()]);
    for (const { value } of known) this.#takeMember(readMember(value));
    for (const { value, ageMs } of held) this.#takeLease(readLease(value), ageMs);
  }

  async #readMember(name: string): Promise<void> {
    try {
      const entry = await (await this.#bus.bucket(MEMBERS)).get(name);
      this.#takeMember(entry && readMember(entry.value));
    } catch {
      // The entry is read again when the connection to NATS is back.
    }
  }

  /** `ageMs`: time since the lease was written. A lease that is older than the known one is ignored. */
  #takeLease(record: LeaseRecord | undefined, ageMs = 0): void {
    if (!record) return;
    const entry = this.#entryOf(record.name);
    // A write of an earlier process, which NATS has refused.
    if ((entry.lease?.record.epoch ?? 0) > record.epoch || (entry.member?.epoch ?? 0) > record.epoch) return;
    const seenMs = performance.now() - ageMs;
    if (entry.lease && entry.lease.record.epoch === record.epoch && entry.lease.seenMs > seenMs) return;
    entry.lease = { record, seenMs };
    this.#onChange();
  }

  #dropLease(name: string): void {
    const entry = this.#entries.get(name);
    if (entry) entry.lease = undefined;
    this.#onChange();
  }

  #takeMember(record: MemberRecord | undefined): void {
    if (!record) return;
    const entry = this.#entryOf(record.name);
    entry.member = record;
    this.#onChange();
  }

  #entryOf(name: string): Entry {
    const known = this.#entries.get(name);
    if (known) return known;
    const entry: Entry = {};
    this.#entries.set(name, entry);
    return entry;
  }
}
