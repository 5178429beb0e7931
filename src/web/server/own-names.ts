/**
 * The names under which a server is reached, and the address of its links. Pure.
 *
 * A link has a name that nobody can guess, such as `limpet-k3v9x2ab.localhost`, which browsers resolve to this machine
 * without asking anybody. Browsers send the cookies of a host to all its ports: a program that listens on another port
 * of `127.0.0.1` would get ours, and could use it.
 */
import type { OwnNames } from "./request/check-source.ts";

export interface Named extends OwnNames {
  /** What links begin with, such as `http://127.0.0.1:8080`. */
  readonly base: string;
}

const DEFAULT_PORT = { http: 80, https: 443 } as const;
const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"] as const;

/** For a server of this machine only. */
export function loopbackNames(name: string, port: number): Named {
  return namesAt("http", [name, ...LOOPBACK], port);
}

/** For one behind a socket file. `port`: the one that links have; people may forward another one. */
export function socketNames(name: string, port: number): Named {
  return { ...namesAt("http", [name], port), anyPortHosts: new Set([name, ...LOOPBACK]) };
}

/** For one that other machines reach. */
export function publicNames(names: readonly string[], port: number): Named {
  return namesAt("https", names, port);
}

function namesAt(scheme: Named["scheme"], names: readonly string[], port: number): Named {
  const lower = names.map((name) => name.toLowerCase());
  const isDefault = port === DEFAULT_PORT[scheme];
  // Browsers leave out the port that belongs to the scheme.
  const hosts = new Set(lower.flatMap((name) => [`${name}:${port}`, ...(isDefault ? [name] : [])]));
  const base = `${scheme}://${lower[0]}${isDefault ? "" : `:${port}`}`;
  return { scheme, hosts, anyPortHosts: new Set(), base };
}
