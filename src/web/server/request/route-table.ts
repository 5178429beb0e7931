/** Finds the route of a request. Paths are compared part by part, and never become paths of files. Pure. */

interface Findable {
  readonly path: string;
  readonly method?: string;
}

export type Found<R> =
  | { readonly kind: "found"; readonly route: R; readonly params: Readonly<Record<string, string>> }
  /** The path exists, with other methods. */
  | { readonly kind: "other method"; readonly allow: readonly string[] }
  | { readonly kind: "nothing" };

interface Entry<R> {
  readonly route: R;
  readonly parts: readonly string[];
}

export class RouteTable<R extends Findable> {
  readonly #entries: readonly Entry<R>[];

  constructor(routes: readonly R[]) {
    const seen = new Set<string>();
    for (const { method = "", path } of routes) {
      const key = `${method} ${path.replaceAll(/:\w+/g, ":")}`;
      if (seen.has(key)) throw new Error(`Two routes are ${key}.`);
      seen.add(key);
    }
    const entries = routes.map((route) => ({ route, parts: route.path.split("/") }));
    // A route with a fixed part wins over one that takes any.
    this.#entries = entries.sort((one, other) => namedParts(one.parts) - namedParts(other.parts));
  }

  find(method: string, path: string): Found<R> {
    const parts = path.split("/");
    const allow: string[] = [];
    for (const { route, parts: wanted } of this.#entries) {
      const params = match(wanted, parts);
      if (params === undefined) continue;
      if (route.method === undefined || route.method === method) return { kind: "found", route, params };
      allow.push(route.method);
    }
    return allow.length > 0 ? { kind: "other method", allow: [...new Set(allow)] } : { kind: "nothing" };
  }
}

function namedParts(parts: readonly string[]): number {
  return parts.filter((part) => part.startsWith(":")).length;
}

function match(wanted: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of wanted.entries()) {
    const part = parts[index] ?? "";
    if (!name.startsWith(":")) {
      if (part !== name) return undefined;
      continue;
    }
    const value = decode(part);
    if (value === undefined) return undefined;
    params[name.slice(1)] = value;
  }
  return params;
}

/** Undefined for a part that cannot be an id: an empty one, one with a NUL, and one with invalid encoding. */
function decode(part: string): string | undefined {
  try {
    const value = decodeURIComponent(part);
    return value === "" || value.includes("\0") ? undefined : value;
  } catch {
    return undefined;
  }
}
