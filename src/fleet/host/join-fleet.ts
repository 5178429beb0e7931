/**
 * Makes a host part of a fleet: connects to NATS, registers, and serves doors, which are the fleet's clients. Without
 * NATS, the host continues to serve its local clients, and registers when NATS is back.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { withTimeout } from "../../base/async/with-timeout.ts";
import type { MetricFamily } from "../../base/format/open-metrics.ts";
import { packageVersion } from "../../base/package-version.ts";
import type { FurtherListener, OpenHost } from "../../host/further-listener.ts";
import { PROTOCOL } from "../../host/protocol.ts";
import { IdCounter } from "../../host/state/id-counter.ts";
import { processorLoad } from "../../linux/processor-load.ts";
import { JournalCopier } from "../journals/journal-copier.ts";
import type { JournalKey } from "../journals/journal-key.ts";
import { LEASE_MS } from "../lease/judge-host.ts";
import { type AcceptedLinks, acceptLinks } from "../link/accept-links.ts";
import { encodeMessage } from "../link/open-messages.ts";
import { NameKeeper } from "../names/name-keeper.ts";
import type { Bus, BusMessage } from "../nats/bus.ts";
import { connectNats } from "../nats/connect-nats.ts";
import type { NatsAccess } from "../nats/nats-access.ts";
import { requireLabels } from "../placement/label.ts";
import { QuotaKeeper } from "../quotas/quota-keeper.ts";
import { hostKey } from "../registry/host-key.ts";
import type { Duty, LeaseRecord } from "../registry/records.ts";
import { Registrar } from "../registry/registrar.ts";
import { bidSubject, controlSubject, requireFleetName } from "../subjects.ts";
import { bidFor } from "./bid-for.ts";
import { DoorGate } from "./door-gate.ts";
import type { DoorRules } from "./door-rules.ts";
import { fleetFamilies } from "./fleet-families.ts";
import { LocalImages } from "./local-images.ts";
import { readControl } from "./read-control.ts";

export interface JoinFleetOptions {
  readonly access: NatsAccess;
  readonly name: string;
  readonly labels: readonly string[];
  /** What the user of this host allows doors to do. */
  readonly rules: DoorRules;
  readonly onProblem: (text: string) => void;
  /** How long a lease is valid. It is renewed after a third of this time. Default: 15 s. */
  readonly leaseMs?: number | undefined;
  /** Copies the output of sessions to NATS, encrypted with this key. Default: no copies. */
  readonly journalKey?: JournalKey | undefined;
  /**
   * Used with `journalKey`. `all`: copies every session that is not started without copies. `asked`: copies only
   * sessions that are started with copies. Default: `all`.
   */
  readonly copies?: "all" | "asked" | undefined;
}

/** The pause before the next attempt to reach NATS. */
const RETRY_MS = 1_000;
/**
 * How often output is copied. With a longer interval, more output is missing if the host is lost. A shorter one costs
 * more work.
 */
const COPY_EVERY_MS = 10_000;
/** How long a host that ends may take to copy its latest output. */
const LAST_COPY_MS = 2_000;

/** Throws for a name or a label that is not allowed. Everything else is retried until it works. */
export function joinFleet(options: JoinFleetOptions): (host: OpenHost) => FurtherListener {
  requireFleetName(options.name, "--name");
  requireLabels(options.labels);
  return (host) => new FleetHost(options, host);
}

class FleetHost implements FurtherListener {
  readonly #options: JoinFleetOptions;
  readonly #host: OpenHost;
  readonly #end = new AbortController();
  readonly #epoch: number;
  readonly #running: Promise<void>;
  #duty: Duty = "open";
  #onChange: Parameters<OpenHost["onChange"]>[0] = () => undefined;
  #registrar: Registrar | undefined;

  constructor(options: JoinFleetOptions, host: OpenHost) {
    this.#options = options;
    this.#host = host;
    const epochs = new IdCounter(host.file("fleet-epoch"), 0);
    this.#epoch = epochs.take();
    epochs.close();
    host.onChange((what, session) => this.#onChange(what, session));
    this.#running = this.#run();
  }

  metrics(): readonly MetricFamily[] {
    return fleetFamilies({ epoch: this.#epoch, ageMs: this.#registrar?.leaseAgeMs, duty: this.#duty });
  }

  async close(): Promise<void> {
    this.#end.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { access, name, onProblem } = this.#options;
    const { signal } = this.#end;
    let lastProblem = "";
    while (!signal.aborted) {
      try {
        const bus = await connectNats({ access, kind: "host", name, onProblem });
        onProblem(`fleet: connected to NATS at ${bus.server} as ${name}, epoch ${this.#epoch}`);
        await this.#serve(bus);
        return;
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error);
        if (problem !== lastProblem) onProblem(`fleet: ${problem}`);
        lastProblem = problem;
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** Resolves when the host ends. A host whose name is used by a later process stays here, but serves nothing. */
  async #serve(bus: Bus): Promise<void> {
    const { name, onProblem, leaseMs = LEASE_MS } = this.#options;
    const key = hostKey(this.#host.file("fleet-key.pem"));
    let links: AcceptedLinks | undefined;
    const registrar: Registrar = new Registrar(bus, {
      lease: () => this.#lease(),
      publicKey: key.publicKey,
      onFormerDuty: (duty) => {
        this.#duty = duty;
      },
      onFenced: (why) => {
        onProblem(`fleet: this host no longer serves the fleet: ${why}.`);
        links?.close();
      },
      onProblem,
      renewalMs: leaseMs / 3,
    });
    this.#registrar = registrar;
    const mayServe = () => registrar.mayServe;
    const running = () => this.#host.running();
    const kept = { host: name, running, mayServe, everyMs: leaseMs / 3, onProblem };
    const names = new NameKeeper(bus, { ...kept, epoch: this.#epoch });
    const quotas = new QuotaKeeper(bus, kept);
    const gate = new DoorGate({ name, duty: () => this.#duty, rules: this.#options.rules, names, quotas });
    this.#onChange = (what, session) => {
      if (what === "opened") quotas.noteOpened(session);
      for (const each of [registrar, names, quotas]) each.noteChange();
    };
    const tryToServe = async () => {
      if (!registrar.mayServe) await registrar.renew();
    };
    links = acceptLinks(bus, {
      host: name,
      epoch: this.#epoch,
      mayServe,
      tryToServe,
      sign: key.sign,
      onLink: (stream, door) =>
        this.#host.accept(stream, { view: (sessions, scope) => gate.over(sessions, { name: door, scope }) }),
      onLaterEpoch: (epoch) => registrar.fence(`a later process runs as ${name}, in epoch ${epoch}`),
    });
    const images = new LocalImages();
    const bid = async ({ data, isLate, answer }: BusMessage) => {
      if (isLate) return;
      await tryToServe();
      if (mayServe()) answer?.(encodeMessage(await bidFor(this.#lease(), data, images)));
    };
    const control = async ({ data, isLate, answer }: BusMessage) => {
      if (isLate) {
        answer?.(encodeMessage({ late: true }));
        return;
      }
      await tryToServe();
      const duty = mayServe() ? readControl(data) : undefined;
      if (duty === undefined) return;
      this.#duty = duty;
      onProblem(`fleet: an operator has set this host to ${duty}`);
      await registrar.renewAll();
      answer?.(encodeMessage(this.#lease()));
    };
    const stops = [
      bus.subscribe(bidSubject(name), (message) => void bid(message)),
      bus.subscribe(controlSubject(name), (message) => void control(message)),
    ];
    const copier = this.#copier(bus);
    await new Promise<void>((resolve) => {
      const { signal } = this.#end;
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve(), { once: true });
    });
    for (const stop of stops) stop();
    links.close();
    await withTimeout(LAST_COPY_MS, copier?.close() ?? Promise.resolve());
    await Promise.all([names.close(), quotas.close()]);
    await registrar.close();
    await bus.close().catch(() => undefined);
  }

  #copier(bus: Bus): JournalCopier | undefined {
    const { name: host, journalKey: key, copies = "all", onProblem, leaseMs = LEASE_MS } = this.#options;
    if (!key) return undefined;
    const sources = () => this.#host.journals();
    const everyMs = Math.min(COPY_EVERY_MS, leaseMs);
    return new JournalCopier(bus, { host, epoch: this.#epoch, key, sources, copies, onProblem, everyMs });
  }

  #lease(): LeaseRecord {
    const { name, labels, leaseMs: validMs = LEASE_MS } = this.#options;
    const { instance, maxSessions } = this.#host;
    const sessions = this.#host.countRunning();
    return {
      name,
      epoch: this.#epoch,
      instance,
      duty: this.#duty,
      labels,
      sessions,
      maxSessions,
      load: processorLoad(),
      validMs,
      version: packageVersion(),
      protocol: PROTOCOL,
    };
  }
}
