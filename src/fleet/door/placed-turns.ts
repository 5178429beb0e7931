/**
 * Sends turns to hosts of a fleet. For a turn that starts something and names no host, the door asks for bids. A turn
 * that is repeated with the same id goes to the same host, so that nothing is started twice. Commands for a shell go to
 * the host of that shell.
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
  /** The host of the running session with this name. */
  readonly hostOf: (name: string) => Promise<string | undefined>;
  /** Finds a host for a new session. */
  readonly choose: (wish: HostWish) => Promise<PlacedSession>;
  /** Resolves when the hosts have been read. */
  readonly known: () => Promise<unknown>;
}

interface HostWish {
  readonly workspace: string | undefined;
  /** Hosts that have refused the session since they made a bid. */
  readonly refused: ReadonlySet<string>;
  readonly signal: AbortSignal | undefined;
}

/** What decides where a turn goes. */
interface Route {
  readonly key: string | undefined;
  /** The name of the session. If it runs, the turn goes to its host. */
  readonly name: string | undefined;
  readonly workspace: string | undefined;
}

/** Far more turns than are in progress at once. */
const MAX_REMEMBERED = 1_024;
/** The most hosts that may refuse a session after their bid, because they became full. */
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
        // Another door has started a session with this name on another host. The turn goes to that session.
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

  /**
   * If one host refuses several turns for the same session, the first one chooses another host, and the others follow.
   */
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

  /**
   * If a host already has a session with the name, that host decides: it reports the name as taken, or reuses the
   * session.
   */
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

/** Undefined for a turn that names its host or starts nothing. Pure. */
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

/** The name of the session that the request reuses if it runs. Pure. */
function sharedName({ on }: TurnRequest): string | undefined {
  if (on.kind === "start") return on.start.reuse ? on.start.name : undefined;
  return on.kind === "run" ? String(on.run.shell) : undefined;
}
