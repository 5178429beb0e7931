/** The clients that are served, by token: their sessions, their names, and how many there may be. */
import type { AnswerWatch } from "./answer-watch.ts";
import { McpSession } from "./mcp-session.ts";
import { Seats } from "./seats.ts";
import type { McpVisitor, ServeOptions } from "./serve-options.ts";
import { StatelessClient } from "./stateless-client.ts";

/** Sessions of all tokens. Each session stores its own messages. */
const MAX_SESSIONS = 256;
/** Sessions of one token. */
const MAX_TOKEN_SESSIONS = 64;
/** A client that comes back later must send `initialize` again. */
const IDLE_MS = 30 * 60_000;

interface ClientTableOptions extends ServeOptions {
  readonly watch: AnswerWatch;
}

/** A client, and the visitor that it belongs to. */
interface Entry<Client> extends McpVisitor {
  readonly client: Client;
}

export class ClientTable {
  readonly #options: ClientTableOptions;
  readonly #seats = new Seats();
  readonly #sessions = new Map<string, Entry<McpSession>>();
  readonly #stateless = new Set<Entry<StatelessClient>>();

  constructor(options: ClientTableOptions) {
    this.#options = options;
  }

  /** A new session; undefined if there are too many. */
  async open(visitor: McpVisitor): Promise<McpSession | undefined> {
    if (!this.#hasRoomFor(visitor)) return undefined;
    const name = this.#seats.nameFor(visitor.caller);
    const session: McpSession = new McpSession({
      ...this.#partsFor(visitor, name),
      onClosed: () => {
        this.#sessions.delete(session.id);
        this.#seats.leave(name, session);
      },
    });
    this.#seats.take(name, session);
    this.#sessions.set(session.id, { ...visitor, client: session });
    await session.open();
    return session;
  }

  /** Undefined if there is no such session, or it is another token's. */
  find(id: string, visitor: McpVisitor): McpSession | undefined {
    const entry = this.#sessions.get(id);
    return entry && isSame(entry, visitor) ? entry.client : undefined;
  }

  /** Made when it is needed. */
  statelessOf(visitor: McpVisitor): StatelessClient {
    for (const entry of this.#stateless) if (isSame(entry, visitor)) return entry.client;
    const name = this.#seats.nameFor(visitor.caller);
    const client: StatelessClient = new StatelessClient({
      ...this.#partsFor(visitor, name),
      onClosed: () => {
        this.#stateless.delete(entry);
        this.#seats.leave(name, client);
      },
    });
    const entry = { ...visitor, client };
    this.#stateless.add(entry);
    this.#seats.take(name, client);
    return client;
  }

  /** Closes the clients that have gone, and those whose token was revoked or has expired. */
  sweep(): void {
    const { isValid = () => true } = this.#options;
    for (const { client, caller } of this.#all()) {
      if (client.silentMs > IDLE_MS || !isValid(caller)) client.close();
      else if (client instanceof McpSession) client.dropOld();
    }
  }

  close(): void {
    for (const { client } of this.#all()) client.close();
  }

  #all(): readonly Entry<McpSession | StatelessClient>[] {
    return [...this.#sessions.values(), ...this.#stateless];
  }

  /** If there are too many, closes the one that has been absent for the longest time. */
  #hasRoomFor({ caller }: McpVisitor): boolean {
    const all = [...this.#sessions.values()];
    const own = all.filter((entry) => entry.caller === caller);
    const candidates = own.length >= MAX_TOKEN_SESSIONS ? own : all.length >= MAX_SESSIONS ? all : undefined;
    if (!candidates) return true;
    const [longest] = candidates
      .filter(({ client }) => client.isAbsent)
      .sort((one, other) => other.client.silentMs - one.client.silentMs);
    longest?.client.close();
    return longest !== undefined;
  }

  #partsFor({ right }: McpVisitor, name: string) {
    const { watch, prepare, isValid: _, nowMs = () => performance.now(), ...client } = this.#options;
    return { watch, prepare, nowMs, client: { ...client, caller: name, mayAct: right === "control" } };
  }
}

function isSame(one: McpVisitor, other: McpVisitor): boolean {
  return one.caller === other.caller && one.right === other.right;
}
