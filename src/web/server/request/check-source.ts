/**
 * Decides by its headers whether a request comes from our own page or from a program, before anything else looks at it.
 *
 * A page of another site can make a browser send requests to this machine: directly, or under its own name after it has
 * pointed that name here (DNS rebinding). The Host header then names the other site, the Origin and Sec-Fetch-Site
 * headers say where the request comes from, and pages cannot change any of them. Pure.
 */
import { notAllowed, type Refusal } from "../refusal.ts";

/** What a request says about where it comes from and goes to. */
export interface Source {
  readonly method: string;
  readonly path: string;
  /** Each header as often as it was sent. */
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
  readonly sites: readonly string[];
  readonly fetchMode: string | undefined;
  readonly fetchDest: string | undefined;
  /** It has a token, which a browser never sends by itself. */
  readonly hasToken: boolean;
  readonly isUpgrade: boolean;
}

/** The names under which this server is reached. */
export interface OwnNames {
  readonly scheme: "http" | "https";
  /** Host headers, such as `127.0.0.1:8080`. */
  readonly hosts: ReadonlySet<string>;
  /** Host headers without their port: behind a forwarded socket any port is possible. */
  readonly anyPortHosts: ReadonlySet<string>;
}

const MAX_SHOWN = 80;

/** Undefined if the request is admitted. */
export function checkSource(source: Source, own: OwnNames): Refusal | undefined {
  const [host = ""] = source.hosts;
  if (source.hosts.length !== 1 || !isOwnHost(host.toLowerCase(), own)) {
    return notAllowed(`This server does not answer for the host ${shown(source.hosts)}. Use the link of limpet web.`);
  }
  const [origin] = source.origins;
  if (source.origins.length > 1 || (origin !== undefined && origin !== `${own.scheme}://${host.toLowerCase()}`)) {
    return notAllowed(`Requests from ${shown(source.origins)} are refused. Use the page of this server itself.`);
  }
  if (source.sites.some((site) => site !== "same-origin" && site !== "none") && !isVisitOfPage(source)) {
    return notAllowed("Requests that another page sends are refused. Use the page of this server itself.");
  }
  const changes = source.method !== "GET" || source.isUpgrade;
  if (changes && origin === undefined && !source.hasToken) {
    return notAllowed("A request that changes something needs an Origin header or a token. Send one of them.");
  }
  return undefined;
}

function isOwnHost(host: string, { hosts, anyPortHosts }: OwnNames): boolean {
  if (hosts.has(host)) return true;
  return /:\d{1,5}$/.test(host) && anyPortHosts.has(host.replace(/:\d+$/, ""));
}

/** A navigation to the page, such as a click on a link. Loading the page alone changes nothing. */
function isVisitOfPage({ method, path, fetchMode, fetchDest, isUpgrade }: Source): boolean {
  return method === "GET" && path === "/" && fetchMode === "navigate" && fetchDest === "document" && !isUpgrade;
}

function shown(values: readonly string[]): string {
  return values.length === 0 ? "(none)" : JSON.stringify(values.join(", ").slice(0, MAX_SHOWN));
}
