/**
 * The files of the page, as routes. They are read once; a request names one of them and never a path. Their names
 * contain a hash of their content, except that of the page itself.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { lazy } from "../base/async/lazy.ts";
import { LimpetError } from "../base/limpet-error.ts";
import type { Route, WebAnswer } from "./server/route.ts";

const PAGE = "index.html";
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

type File = Extract<WebAnswer, { readonly kind: "bytes" }>;

/** By name. Throws `PICTURE_UNAVAILABLE` where they are missing. */
const readFiles = lazy((): ReadonlyMap<string, File> => {
  const folder = findFolder();
  const names = readdirSync(folder).filter((name) => extname(name) in TYPES);
  return new Map(names.map((name) => [name, readFile(join(folder, name))]));
});

/**
 * A route for the page, and one for each file that it loads. They need no sign-in: they contain no data of any user.
 */
export function pageRoutes(): readonly Route[] {
  return [...readFiles()].map(([name, file]) => ({
    method: "GET",
    path: name === PAGE ? "/" : `/assets/${name}`,
    right: null,
    answer: async () => file,
  }));
}

function readFile(path: string): File {
  const bytes = readFileSync(path);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return { kind: "bytes", type: TYPES[extname(path)] ?? "", bytes, etag: `"${hash}"` };
}

/** Beside the bundle, and beside the sources once they were built. */
function findFolder(): string {
  const places = ["../web/page", "../../dist/web/page"];
  const found = places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(join(path, PAGE)));
  if (found !== undefined) return found;
  throw new LimpetError(
    "PICTURE_UNAVAILABLE",
    "The files of the web page are missing. If a bundler built this program, mark limpet as external.",
  );
}
