/**
 * A door: a client of a fleet, such as a command of the CLI, that reaches hosts through NATS. It holds no state that
 * another door needs, so any door can be killed and replaced.
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
  /** The name of the door's NATS user. Several doors may share a user and its name. Default: `door`. */
  readonly name?: string | undefined;
  /** Names and lists refer to sessions of this project; null: to sessions without a project. Default: all sessions. */
  readonly project?: string | null | undefined;
  /** Called when the lease or the entry of a host changes. */
  readonly onChange?: () => void;
}

interface Open {
  readonly bus: Bus;
  /** Undefined without JetStream. Hosts can then be reached only by their names. */
  readonly directory: FleetDirectory | undefined;
  readonly problem: unknown;
  readonly openedMs: number;
}

const CONTROL_MS = 10_000;
/** A cluster that has lost a server cannot be read for some seconds. */
const READ_AGAIN_MS = 1_000;
/** Without `keepAlive`, because the link itself detects a silent host. */
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
  /** Open links to hosts whose epoch is known. */
  readonly #links = new Map<LinkStream, { readonly host: string; readonly epoch: number }>();
  #open: Promise<Open> | undefined;
  #known: FleetDirectory | undefined;

  constructor(options: FleetDoorOptions) {
    this.#options = options;
    this.#door = requireFleetName(options.name ?? "door", "The name of the door");
  }

  /** All hosts, sorted by name. Rejects with FLEET_UNREACHABLE. */
  async hosts(): Promise<readonly FleetHost[]> {
    const { directory, problem } = await this.#readAgain(this.#opened());
    if (!directory) throw problem;
    return directory.hosts();
  }

  /** Like `hosts`, with numbers that the hosts are asked for now. */
  async askHosts(): Promise<readonly FleetHost[]> {
    const hosts = await this.hosts();
    return await askHosts((await this.#opened()).bus, hosts);
  }

  /** Like `hosts`, without waiting. Empty before the first call of `hosts`. */
  knownHosts(): readonly FleetHost[] {
    return this.#known?.hosts() ?? [];
  }

  /** A client of one host. It connects at its first call. */
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

  /**
   * Chooses a host for a new session. `labels`: see `readNeeds`. Rejects with FLEET_FULL, and the message says what is
   * missing.
   */
  async place(wish: Omit<SessionWish, "image">): Promise<PlacedSession> {
    await this.hosts();
    const { bus } = await this.#opened();
    return await this.#placements.place(bus, { ...wish, ...readNeeds(wish.labels) });
  }

  /** Resolves with the number of the host's sessions when the host has confirmed the change. */
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

  /** Disconnects. Sessions continue on their hosts. */
  async close(): Promise<void> {
    for (const client of this.#clients.values()) client.disconnect();
    const opened = await this.#open?.catch(() => undefined);
    opened?.directory?.close();
    await opened?.bus.close().catch(() => undefined);
  }

  /** Tries a host without an entry as well: names are unique, so no other host can answer. */
  async #connect(host: string, { protocol }: ConnectRequest): Promise<HostStream | undefined> {
    if (protocol !== undefined) return undefined;
    const { bus, directory } = await this.#opened();
    const member = await directory?.member(host);
    try {
      return await this.#link(bus, host, member);
    } catch (error) {
      // The host may have restarted, and this door has not received its new entry yet.
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

  /** A restarted host does not answer on links to its former process, so these are closed. */
  #noteChange(): void {
    for (const [link, { host, epoch }] of [...this.#links])
      if ((this.#known?.find(host)?.epoch ?? 0) > epoch) link.lose("its host was started again");
    this.#options.onChange?.();
  }

  /** Connects at the first call. After a failure, the next call tries again. */
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

  /** Tries to read the hosts again if that failed before. */
  async #readAgain(opening: Promise<Open>): Promise<Open> {
    const opened = await opening;
    if (opened.directory || performance.now() - opened.openedMs < READ_AGAIN_MS) return opened;
    if (this.#open === opening) this.#open = this.#withDirectory(opened.bus);
    return await this.#opened();
  }
}
