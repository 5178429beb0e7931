/** Runs the web server of a state directory from its lock to its end: the body of `limpet web run`. */
import { randomBytes, X509Certificate } from "node:crypto";
import { type Alarm, realAlarm } from "../../base/async/alarm.ts";
import { deferred } from "../../base/async/deferred.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { packageVersion } from "../../base/package-version.ts";
import { WEB_IDLE_MS, WEB_LINK_MS } from "../../base/web-limits.ts";
import { IdleWatch } from "../../host/idle-watch.ts";
import { openStateDirectory, type StateDirectory } from "../../host/state/state-directory.ts";
import { takeProcessLock } from "../../host/state/take-process-lock.ts";
import type { NamedPlaces } from "../../places/place-address.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { RuleFile } from "../../tools/guard/ask-through-client.ts";
import { connectSessions, type Span } from "../connect-sessions.ts";
import type { Refusal } from "../server/refusal.ts";
import type { TokenRoute } from "../server/route.ts";
import { Attempts } from "../server/sign-in/attempts.ts";
import { Grants } from "../server/sign-in/grants.ts";
import type { Password } from "../server/sign-in/password.ts";
import { Visitors } from "../server/sign-in/visitors.ts";
import { type Listening, WebServer } from "../server/web-server.ts";
import { TokenFile } from "../tokens/token-file.ts";
import { webRoutes } from "../web-routes.ts";
import { controlPath } from "./ask-web.ts";
import type { ControlAnswers, ControlRequest, NewLink, WebStatus } from "./control-protocol.ts";
import { ControlServer } from "./control-server.ts";
import { isInsideSession } from "./is-inside-session.ts";
import { LinkPages } from "./link-pages.ts";

/** Where it listens, without the random name in its links. */
export type Where =
  | Omit<Extract<Listening, { readonly kind: "loopback" }>, "name">
  | Omit<Extract<Listening, { readonly kind: "file" }>, "name">
  | Extract<Listening, { readonly kind: "address" }>;

export interface RunWebOptions {
  readonly stateDirectory: string;
  readonly where: Where;
  /** A password with which people can sign in, besides links. */
  readonly password?: Password | undefined;
  /** Names of `config.json`, or something else that spans machines. */
  readonly places: NamedPlaces | Span;
  /** The NATS server of the fleet that these span, for `limpet web status`. Default: none. */
  readonly fleet?: string | undefined;
  /** Where a permanent approval is stored as a rule. Default: such approvals are refused. */
  readonly ruleFile?: RuleFile | undefined;
  /** Counts what people do and what is refused. Default: nothing is counted. */
  readonly meter?: WebMeter | undefined;
  /** What agents reach with a token. Default: nothing. */
  readonly tokenRoutes?: readonly TokenRoute[];
  /** Ends the server after this time without use, if no session runs. Default: an hour. Null: never. */
  readonly idleMs?: number | null;
  readonly alarm?: Alarm;
  /** How long to wait for the lock of a server that is ending. Default 0. */
  readonly lockPatienceMs?: number;
  /**
   * Returns false if the process that started this server uses another one; this server then ends at once. Called
   * before the server does anything. Default: always true.
   */
  readonly isWanted?: () => boolean;
  /** Called when it can be reached. */
  readonly onListening?: (status: WebStatus) => void;
  /** Called with problems that are not reported elsewhere. */
  readonly onProblem: (text: string) => void;
  /** Ends the server. Sessions continue. */
  readonly signal: AbortSignal;
}

interface WebMeter {
  /** The same sessions, whose turns and refusals are counted. */
  over(sessions: SessionService): SessionService;
  onRefused(refusal: Refusal, error?: unknown): void;
}

const NEVER: Alarm = () => () => undefined;
/** Letters and digits that are not easily confused: 40 bits. */
const NAME_ALPHABET = "abcdefghijkmnpqrstuvwxyz23456789";
const NAME_CHARS = 8;

/** Resolves when it has ended. Rejects with `WEB_RUNNING` if the directory has one. */
export async function runWeb(options: RunWebOptions): Promise<void> {
  const { isWanted = () => true } = options;
  // Before anything is created: its directory may be gone by now.
  if (!isWanted()) return;
  const directory = openStateDirectory(options.stateDirectory);
  try {
    const lock = await takeProcessLock(directory, {
      file: "web.lock",
      socketPath: controlPath(directory),
      patienceMs: options.lockPatienceMs,
      signal: options.signal,
      onTaken: () => new LimpetError("WEB_RUNNING", "The web server is already running. See limpet web status."),
    });
    try {
      if (isWanted()) await serve(directory, options);
    } finally {
      lock.release();
    }
  } finally {
    directory.release();
  }
}

async function serve(directory: StateDirectory, options: RunWebOptions): Promise<void> {
  const { stateDirectory, where, password, places, ruleFile, onProblem, signal } = options;
  const tokens = new TokenFile(directory.path);
  requireWayIn(where, { password, tokens });
  const { here, sessions: all, disconnect } = connectSessions(stateDirectory, places);
  const { meter } = options;
  const sessions = meter?.over(all) ?? all;
  const grants = new Grants(Date.now);
  const end = deferred<void>();
  const stop = () => end.resolve();
  const server: WebServer = new WebServer({
    routes: webRoutes({ sessions, stateDirectory, ruleFile, tokenRoutes: options.tokenRoutes ?? [] }),
    visitors: new Visitors(grants, tokens),
    signIn: { grants, attempts: new Attempts(Date.now), password },
    onProblem,
    onUse: () => idle.restart(),
    onRefused: meter && ((refusal, error) => meter.onRefused(refusal, error)),
  });
  const idle: IdleWatch = new IdleWatch({
    idleMs: options.idleMs ?? WEB_IDLE_MS,
    isInUse: () => server.streams > 0,
    onIdle: async () => {
      const status = await here.hostStatus().catch(() => undefined);
      if ((status?.sessions ?? 0) > 0) idle.restart();
      else stop();
    },
    alarm: options.idleMs === null ? NEVER : (options.alarm ?? realAlarm),
  });
  const pages = new LinkPages(directory.path);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    const { base } = await server.listen(where.kind === "address" ? where : { ...where, name: newName() });
    const status = (): WebStatus => ({
      pid: process.pid,
      version: packageVersion(),
      startedAt,
      base,
      socket: where.kind === "file" ? where.path : null,
      fleet: options.fleet ?? null,
      certificateEndsMs: where.kind === "address" ? endOf(where.tls.cert) : null,
      visitors: grants.list().filter(({ isUsed }) => isUsed).length,
      streams: server.streams,
    });
    const startedAt = Date.now();
    const control = new ControlServer({
      path: controlPath(directory),
      answer: async (request) => {
        idle.restart();
        return answerControl(request, { base, grants, pages, status, stop });
      },
      isInsideSession: async (pid) => isInsideSession(pid, (await here.hostStatus().catch(() => undefined))?.pid),
      onProblem,
    });
    await control.listen();
    options.onListening?.(status());
    await end.promise;
    control.close();
  } finally {
    idle.stop();
    pages.close();
    await server.close();
    disconnect();
  }
}

interface Answering {
  readonly base: string;
  readonly grants: Grants;
  readonly pages: LinkPages;
  readonly status: () => WebStatus;
  readonly stop: () => void;
}

function answerControl(
  request: ControlRequest,
  { base, grants, pages, status, stop }: Answering,
): ControlAnswers[keyof ControlAnswers] {
  switch (request.method) {
    case "status":
      return status();
    case "link": {
      const made = linkOf(base, grants.issue({ right: "control", session: null }));
      return request.hasPage ? { ...made, page: pages.make(made.grant.id, made.link) } : made;
    }
    case "share": {
      const { session, right, forMs } = request;
      return linkOf(base, grants.issue({ right, session, forMs }));
    }
    case "prompt": {
      const { session, token } = request;
      const made = linkOf(base, grants.issue({ right: "control", session, prompt: token, forMs: WEB_LINK_MS }));
      return { ...made, link: `${made.link}&view=/prompt/${encodeURIComponent(session)}` };
    }
    case "shares":
      return grants.list();
    case "revoke":
      return grants.revoke(request.id);
    case "stop":
      stop();
      return true;
  }
}

/** The key is in the fragment, which browsers do not send. */
function linkOf(base: string, { key, grant }: ReturnType<Grants["issue"]>): NewLink {
  return { link: `${base}/#key=${key}`, page: null, grant };
}

/** Other machines can reach it, so it needs a password or a token. */
function requireWayIn(
  where: Where,
  given: { readonly password: Password | undefined; readonly tokens: TokenFile },
): void {
  if (where.kind !== "address" || given.password || given.tokens.list().length > 0) return;
  throw new LimpetError(
    "BAD_OPTION",
    "--host accepts other machines, but nobody could sign in from there. Give --password-file, or create a token first: limpet token create NAME",
  );
}

/** Of the first certificate in a file. */
function endOf(certificate: string | Buffer): number {
  return Date.parse(new X509Certificate(certificate).validTo);
}

function newName(): string {
  const chars = [...randomBytes(NAME_CHARS)].map((byte) => NAME_ALPHABET[byte % NAME_ALPHABET.length]);
  return `limpet-${chars.join("")}.localhost`;
}
