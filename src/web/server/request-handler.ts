/**
 * Checks requests and serves them. The order of the checks: where the request comes from, which route it is for, who
 * sends it, and whether that visitor may use the route. Only then it reads the body and calls the route.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { MAX_VISITOR_STREAMS } from "../../base/web-limits.ts";
import { sendAnswer, sendRefusal } from "./answer/send-answer.ts";
import { sendEvents } from "./answer/send-events.ts";
import type { OpenVisits } from "./open-visits.ts";
import { NOT_A_PATH, noteFault, notFound, otherMethod, type Refusal, refusalOf, TOO_MANY_STREAMS } from "./refusal.ts";
import { checkRight, NOT_SIGNED_IN } from "./request/check-right.ts";
import { checkSource, type OwnNames } from "./request/check-source.ts";
import { readBody } from "./request/read-body.ts";
import { type RequestTarget, sourceOf, targetOf } from "./request/read-source.ts";
import { RouteTable } from "./request/route-table.ts";
import type { Route, Routes, TokenRoute, Visitor, WebRequest } from "./route.ts";
import { type CookieRules, cookieRules, setCookie } from "./sign-in/cookie.ts";
import type { Visit } from "./sign-in/grants.ts";
import { type SignInOptions, signIn } from "./sign-in/sign-in.ts";
import type { Visitors } from "./sign-in/visitors.ts";

export interface HandlerOptions {
  readonly routes: Routes;
  readonly visitors: Visitors;
  readonly signIn: SignInOptions;
  /** Called with what failed in our own code. Never with anything of the request but its route. */
  readonly onProblem: (text: string) => void;
  /** Called with each request that was admitted. */
  readonly onUse: () => void;
  /**
   * Called with each request that is refused or fails; with the error, if there is one. Default: they are not counted.
   */
  readonly onRefused?: ((refusal: Refusal, error?: unknown) => void) | undefined;
}

type OwnRoute = {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly own: "sign in" | "sign out" | "ways";
};
type AnyRoute = Route | (TokenRoute & { readonly method?: never }) | OwnRoute;

const OWN_ROUTES: readonly OwnRoute[] = [
  { method: "GET", path: "/api/sign-in", own: "ways" },
  { method: "POST", path: "/api/sign-in", own: "sign in" },
  { method: "POST", path: "/api/sign-out", own: "sign out" },
];

/** The visitor on routes that are open to all. It has access to no session. */
const NOBODY: Visitor = { caller: "nobody", right: "view", isPerson: false, session: "" };
const NEVER = new AbortController().signal;

export class RequestHandler {
  readonly #options: HandlerOptions;
  readonly #table: RouteTable<AnyRoute>;
  readonly #open: OpenVisits;

  constructor(options: HandlerOptions, open: OpenVisits) {
    const { routes, tokenRoutes = [] } = options.routes;
    this.#options = options;
    this.#open = open;
    this.#table = new RouteTable<AnyRoute>([...OWN_ROUTES, ...tokenRoutes, ...routes]);
  }

  /** Never rejects. */
  async handle(request: IncomingMessage, response: ServerResponse, names: OwnNames): Promise<void> {
    // The close event, which follows, handles a broken connection.
    response.on("error", () => undefined);
    const target = targetOf(request.url);
    try {
      const refusal = target
        ? (checkSource(sourceOf(request, target.path), names) ??
          (await this.#route({ request, response, names }, target)))
        : NOT_A_PATH;
      if (!refusal) return;
      this.#options.onRefused?.(refusal);
      await sendRefusal(response, refusal);
    } catch (error) {
      const refusal = refusalOf(error);
      // After the client has disconnected, most errors are only its consequence.
      if (!response.destroyed) {
        this.#options.onRefused?.(refusal, error);
        noteFault(error, target?.path, this.#options.onProblem);
      }
      await sendRefusal(response, refusal);
    }
  }

  async #route(exchange: Exchange, target: RequestTarget): Promise<Refusal | undefined> {
    const { request, response, names } = exchange;
    const found = this.#table.find(request.method ?? "", target.path);
    if (found.kind === "nothing") return notFound();
    if (found.kind === "other method") return otherMethod(found.allow);
    const { route, params } = found;
    const rules = cookieRules(request.headers.host ?? "", names.scheme);
    if ("own" in route) return await this.#serveOwn(route, exchange, rules);
    const identified = this.#options.visitors.identify(request, rules);
    const isOpenToAll = "answer" in route && route.right === null;
    if (identified.kind === "refused" && !isOpenToAll) return identified.refusal;
    const visit = identified.kind === "visit" ? identified.visit : undefined;
    if (!("answer" in route)) {
      if (identified.kind !== "visit" || identified.by !== "token") return NOT_SIGNED_IN;
      return await this.#serveToken(route, exchange, identified.visit);
    }
    const refusal = checkRight(route, visit?.visitor, params);
    if (refusal) return refusal;
    const visiting = isOpenToAll || visit === undefined ? { id: "", visitor: NOBODY, signal: NEVER } : visit;
    const body = request.method === "POST" ? await readBody(request, () => allowBody(exchange)) : undefined;
    if (body?.kind === "refused") return body.refusal;
    this.#options.onUse();
    const during = this.#open.begin(visiting, response);
    try {
      const asked: WebRequest = {
        visitor: visiting.visitor,
        params,
        query: target.query,
        body: body?.value,
        lastEventId: header(request, "last-event-id"),
        etag: header(request, "if-none-match"),
        signal: during.signal,
      };
      const answer = await route.answer(asked);
      if (answer.kind !== "events") await sendAnswer(request, response, { answer, isPublic: isOpenToAll });
      else if (!during.countStream(MAX_VISITOR_STREAMS)) return TOO_MANY_STREAMS;
      else await sendEvents(response, answer.events, { signal: during.signal });
    } finally {
      during.end();
    }
    return undefined;
  }

  async #serveToken(route: TokenRoute, exchange: Exchange, visit: Visit): Promise<Refusal | undefined> {
    const { request, response } = exchange;
    const refusal = checkRight(route, visit.visitor, {});
    if (refusal) return refusal;
    this.#options.onUse();
    allowBody(exchange);
    const during = this.#open.begin(visit, response);
    during.signal.addEventListener("abort", () => void response.destroy(), { once: true });
    // The route may return before the answer ends.
    response.once("close", () => during.end());
    await route.serve(request, response, visit.visitor);
    return undefined;
  }

  async #serveOwn({ own }: OwnRoute, exchange: Exchange, rules: CookieRules): Promise<Refusal | undefined> {
    const { request, response } = exchange;
    const { visitors, signIn: options } = this.#options;
    const reply = (value: unknown, cookie?: string) =>
      sendAnswer(request, response, { answer: { kind: "json", value }, isPublic: false, cookie });
    if (own === "ways") {
      await reply({ password: options.password !== undefined });
      return undefined;
    }
    const body = await readBody(request, () => allowBody(exchange));
    if (body.kind === "refused") return body.refusal;
    if (own === "sign out") {
      const identified = visitors.identify(request, rules);
      if (identified.kind === "visit" && identified.by === "cookie") visitors.grants.revoke(identified.visit.id);
      await reply({}, setCookie(rules, "", 0));
      return undefined;
    }
    const { cookie, forMs, visitor } = await signIn(options, body.value, request.socket.remoteAddress ?? "");
    this.#options.onUse();
    await reply({ right: visitor.right, session: visitor.session }, setCookie(rules, cookie, forMs));
    return undefined;
  }
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly names: OwnNames;
}

/** A client that sent `Expect: 100-continue` may send its body, now that its request was admitted. */
function allowBody({ request, response }: Exchange): void {
  if (request.headers.expect?.toLowerCase() === "100-continue") response.writeContinue();
}

function header(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === "string" ? value : null;
}
