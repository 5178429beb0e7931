/**
 * A door: reaches the hosts of a fleet through NATS. It holds no state that another door would need: kill one, use
 * another.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import type { ConnectRequest } from "../../host/client/connect-request.ts";
import { type HostClient, hostClient } from "../../host/client/host-client.ts";
import type { HostStream } from "../../host/client/host-stream.ts";
import { FAR_LINK, type LinkRules } from "../../host/client/link-rules.ts";
import type { Scope } from "../../session/registry/resolve-session.ts";
import type { LinkStream } from "../link/link-stream.ts";
import { openLink } from "../link/open-link.ts";
import { decodeMessage, encodeMessage } from "../link/open-messages.ts";
import type { Bus } from "../nats/bus.ts";
import { connectNats } from "../nats/connect-nats.ts";
import type { NatsAccess } from "../nats/nats-access.ts";
import { readNeeds } from "../placement/read-needs.ts";
import { isSignedBy } from "../registry/host-key.ts";
import type { Duty, MemberRecord } from "../registry/records.ts";
import { controlSubject, requireFleetName } from "../subjects.ts";
import { askHosts } from "./ask-hosts.ts";
import { FleetDirectory, type FleetHost } from "./fleet-directory.ts";
import type { SessionWish } from "./place-session.ts";
import { type PlacedSession, Placements } from "./placements.ts";

export interface FleetDoorOptions {
  readonly access: NatsAccess;
  /** The name of its NATS user. Doors with the same user may have the same name. Default: `door`. */
  readonly name?: string | undefined;
  /** The project whose sessions names and lists mean. Default: those of all projects. */
  readonly project?: string | undefined;
  /** Called when something about a host has arrived. */
  readonly onChange?: () => void;
}

interface Open {
  readonly bus: Bus;
  /** Undefined without JetStream: then hosts are reached by their names only. */
  readonly directory: FleetDirectory | undefined;
  readonly problem: unknown;
  readonly openedMs: number;
}

const CONTROL_MS = 10_000;
/** A cluster that has lost a server cannot be read for some seconds. */
const READ_AGAIN_MS = 1_000;
/** The link itself notices silence. */
const FLEET_LINK: LinkRules = {
  lossCode: "LINK_LOST",
  answerMs: FAR_LINK.answerMs,
  pausesMs: FAR_LINK.pausesMs,
  resumes: true,
};

export class FleetDoor {
  readonly #options: FleetDoorOptions;
  readonly #door: string;
  readonly #clients = new Map<string, HostClient>();
  readonly #placements = new Placements(() => this.knownHosts());
  /** With the epoch of the host at their other end, if it is known. */
  readonly #links = new Map<LinkStream, { readonly host: string; readonly epoch: number }>();
  #open: Promise<Open> | undefined;
  #known: FleetDirectory | undefined;

  constructor(options: FleetDoorOptions) {
    this.#options = options;
    this.#door = requireFleetName(options.name ?? "door", "The name of the door");
  }

  /** All hosts, in the order of their names. Rejects with FLEET_UNREACHABLE. */
  async hosts(): Promise<readonly FleetHost[]> {
    const { directory, problem } = await this.#readAgain(this.#opened());
    if (!directory) throw problem;
    return directory.hosts();
  }

  /** The same with the numbers that the hosts themselves have now. */
  async askHosts(): Promise<readonly FleetHost[]> {
    const hosts = await this.hosts();
    return await askHosts((await this.#opened()).bus, hosts);
  }

  /** The same without waiting: empty before the first `hosts`. */
  knownHosts(): readonly FleetHost[] {
    return this.#known?.hosts() ?? [];
  }

  /** The sessions of one host, which is reached at the first call. */
  clientOf(host: string): HostClient {
    const known = this.#clients.get(host);
    if (known) return known;
    requireFleetName(host, "The name of the host");
    const { project } = this.#options;
    const scope: Scope = { project: project ?? null, reach: project === undefined ? "user" : "project" };
    const client = hostClient((request) => this.#connect(host, request), {
      isFar: true,
      rules: FLEET_LINK,
      identity: () => ({ scope }),
    });
    this.#clients.set(host, client);
    return client;
  }

  /** The host for a new session. `labels`: see `readNeeds`. Rejects with FLEET_FULL and what is missing. */
  async place(wish: Omit<SessionWish, "image">): Promise<PlacedSession> {
    await this.hosts();
    const { bus } = await this.#opened();
    return await this.#placements.place(bus, { ...wish, ...readNeeds(wish.labels) });
  }

  /** Resolves when the host has confirmed it, with the number of its sessions. */
  async setDuty(host: string, duty: Duty): Promise<number> {
    const { bus } = await this.#opened();
    const subject = controlSubject(requireFleetName(host, "The name of the host"));
    const data = await bus.request(subject, encodeMessage({ duty }), { timeoutMs: CONTROL_MS, hasDeadline: true });
    const { sessions } = (data && decodeMessage(data)) ?? {};
    if (typeof sessions === "number") return sessions;
    throw new LimpetError(
      "PLACE_UNREACHABLE",
      `${host} did not answer, so whether it is ${duty} now is unknown. See limpet fleet status.`,
    );
  }

  /** The sessions continue. */
  async close(): Promise<void> {
    for (const client of this.#clients.values()) client.disconnect();
    const opened = await this.#open?.catch(() => undefined);
    opened?.directory?.close();
    await opened?.bus.close().catch(() => undefined);
  }

  /** No other host is meant by a name, so a host without an entry is asked all the same. */
  async #connect(host: string, { protocol }: ConnectRequest): Promise<HostStream | undefined> {
    if (protocol !== undefined) return undefined;
    const { bus, directory } = await this.#opened();
    const member = await directory?.member(host);
    try {
      return await this.#link(bus, host, member);
    } catch (error) {
      // It may have been started again, and nobody has heard of that here yet.
      const latest = member && (await directory?.member(host, { isOld: true }));
      if (!latest || latest.epoch === member.epoch) throw error;
      return await this.#link(bus, host, latest);
    }
  }

  async #link(bus: Bus, host: string, member: MemberRecord | undefined): Promise<LinkStream> {
    if (!member) return await openLink(bus, { host, door: this.#door });
    const { epoch, publicKey } = member;
    const isSigned = (text: string, signature: string) => isSignedBy(publicKey, text, signature);
    const link = await openLink(bus, { host, door: this.#door, epoch, isSigned });
    this.#links.set(link, { host, epoch });
    link.once("close", () => this.#links.delete(link));
    return link;
  }

  /** A host that was started again does not answer over the links of its former process. */
  #noteChange(): void {
    for (const [link, { host, epoch }] of [...this.#links])
      if ((this.#known?.find(host)?.epoch ?? 0) > epoch) link.lose("its host was started again");
    this.#options.onChange?.();
  }

  /** Connects at the first call; a failure is tried again at the next one. */
  #opened(): Promise<Open> {
    this.#open ??= this.#openNow().catch((error: unknown) => {
      this.#open = undefined;
      throw error;
    });
    return this.#open;
  }

  async #openNow(): Promise<Open> {
    const bus = await connectNats({ access: this.#options.access, kind: "door", name: this.#door });
    return await this.#withDirectory(bus);
  }

  async #withDirectory(bus: Bus): Promise<Open> {
    try {
      this.#known = await FleetDirectory.open(bus, () => this.#noteChange());
      return { bus, directory: this.#known, problem: undefined, openedMs: performance.now() };
    } catch (problem) {
      return { bus, directory: undefined, problem, openedMs: performance.now() };
    }
  }

  /** What could not be read the last time may be there now. */
  async #readAgain(opening: Promise<Open>): Promise<Open> {
    const opened = await opening;
    if (opened.directory || performance.now() - opened.openedMs < READ_AGAIN_MS) return opened;
    if (this.#open === opening) this.#open = this.#withDirectory(opened.bus);
    return await this.#opened();
  }
}
