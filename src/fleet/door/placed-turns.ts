/**
 * Turns of a fleet at the hosts that they belong to. A turn that starts something and names no host is placed by bids.
 * One that is repeated under its id goes to the same host, so that nothing is started twice, and a shell stays where
 * it is.
 */
import { BoundedMap } from "../../base/bounded-map.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { parseSessionKey } from "../../service/listing/session-key.ts";
import type { TurnAnswer } from "../../service/turn/turn-answer.ts";
import type { TurnRequest } from "../../service/turn/turn-request.ts";
import type { PlacedSession } from "./placements.ts";

export interface PlacedTurnsOptions {
  /** Runs a turn at the host that it names. */
  readonly turn: (request: TurnRequest) => Promise<TurnAnswer>;
  /** Where a session with this name runs. */
  readonly hostOf: (name: string) => Promise<string | undefined>;
  /** Finds a host for a new session. */
  readonly choose: (wish: HostWish) => Promise<PlacedSession>;
  /** Resolves when the hosts have been read. */
  readonly known: () => Promise<unknown>;
}

interface HostWish {
  readonly workspace: string | undefined;
  /** Hosts that have refused it, because others were faster. */
  readonly refused: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

/** Where a turn goes. */
interface Route {
  readonly key: string | undefined;
  /** The session that it uses if that runs. */
  readonly name: string | undefined;
  readonly workspace: string | undefined;
}

/** Far more than are on their way at once. */
const MAX_REMEMBERED = 1_024;
/** So many hosts may have become full between their bid and the start. */
const MAX_MOVES = 5;

export class PlacedTurns {
  readonly #options: PlacedTurnsOptions;
  readonly #remembered = new BoundedMap<string, Promise<PlacedSession>>(MAX_REMEMBERED);

  constructor(options: PlacedTurnsOptions) {
    this.#options = options;
  }

  async run(request: TurnRequest): Promise<TurnAnswer> {
    const { turn, known } = this.#options;
    if (request.on.kind === "several" && request.place === undefined) await known();
    const route = routeOf(request);
    return route ? await this.#runPlaced(request, route) : await turn(request);
  }

  async #runPlaced(request: TurnRequest, route: Route): Promise<TurnAnswer> {
    const { turn, hostOf } = this.#options;
    const refused = new Set<string>();
    let finding = this.#placed(request, route);
    for (let moves = 0; ; moves += 1) {
      const { host, settle } = await finding;
      try {
        return await turn({ ...request, place: host });
      } catch (error) {
        const code = error instanceof LimpetError ? error.code : undefined;
        // Another door was faster, on another host: its session is the one that is meant.
        const shared = code === "NAME_TAKEN" ? sharedName(request) : undefined;
        const holder = shared === undefined ? undefined : await hostOf(shared);
        const isElsewhere = holder !== undefined && holder !== host;
        // A full host has started nothing.
        const mayMove = isElsewhere || code === "SESSION_LIMIT";
        if (!mayMove || moves >= MAX_MOVES) throw error;
        refused.add(host);
        finding = this.#moved(route, finding, () =>
          isElsewhere ? foundAt(holder) : this.#choose(request, route, refused),
        );
      } finally {
        settle();
      }
    }
  }

  #placed(request: TurnRequest, route: Route): Promise<PlacedSession> {
    const before = route.key === undefined ? undefined : this.#remembered.get(route.key);
    return before ?? this.#remember(route, this.#find(request, route));
  }

  /** Of several that were refused by the same host, the first one moves, and the others follow. */
  #moved(route: Route, from: Promise<PlacedSession>, to: () => Promise<PlacedSession>): Promise<PlacedSession> {
    const now = route.key === undefined ? undefined : this.#remembered.get(route.key);
    return now === undefined || now === from ? this.#remember(route, to()) : now;
  }

  #remember({ key }: Route, finding: Promise<PlacedSession>): Promise<PlacedSession> {
    if (key === undefined) return finding;
    this.#remembered.set(key, finding);
    finding.catch(() => this.#remembered.delete(key));
    return finding;
  }

  /** The host that has the name decides whether it is taken or the session is used again. */
  async #find(request: TurnRequest, route: Route): Promise<PlacedSession> {
    const { name } = route;
    const holder = name === undefined ? undefined : await this.#options.hostOf(name);
    return holder === undefined ? await this.#choose(request, route, new Set()) : await foundAt(holder);
  }

  #choose({ signal }: TurnRequest, { workspace }: Route, refused: ReadonlySet<string>): Promise<PlacedSession> {
    return this.#options.choose({ workspace, refused, signal });
  }
}

async function foundAt(host: string): Promise<PlacedSession> {
  return { host, settle: () => undefined };
}

/** Undefined for a turn that names its host, or starts nothing. Pure. */
function routeOf({ on, caller, requestId, place }: TurnRequest): Route | undefined {
  if (place !== undefined) return undefined;
  if (on.kind === "start") {
    const key = requestId === undefined ? undefined : JSON.stringify(["request", caller, requestId]);
    return { key, name: on.start.name, workspace: on.start.cwd };
  }
  if (on.kind !== "run" || parseSessionKey(on.run.shell).place !== null) return undefined;
  const { shell, cwd, fresh } = on.run;
  return { key: JSON.stringify(["shell", caller, shell]), name: String(shell), workspace: cwd ?? fresh?.cwd };
}

/** The name of a session that the request would use if it ran. Pure. */
function sharedName({ on }: TurnRequest): string | undefined {
  if (on.kind === "start") return on.start.reuse ? on.start.name : undefined;
  return on.kind === "run" ? String(on.run.shell) : undefined;
}
