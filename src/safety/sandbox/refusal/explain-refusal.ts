/**
 * Pure: what the sandbox refused to a command that failed, as far as its output shows it. Programs report a refusal in
 * their own words, so this looks for the words of the error, and for the path or the connection that they are about.
 */
import { resolve } from "node:path";
import { describeSandbox, type SandboxRequest } from "../../../base/sandbox-request.ts";
import { quoteLine } from "../../../text/clean/quote-line.ts";

export interface RefusalFacts {
  readonly sandbox: SandboxRequest;
  /** What the command printed, clean. */
  readonly text: string;
  /** Where it ran, for relative paths. */
  readonly cwd: string;
  /** What the sandbox does not allow with this path, although the user may; undefined if it is not the sandbox. */
  readonly refusedAccess: (path: string) => "read" | "write" | undefined;
}

/** The end of the output has the error. */
const MAX_LINES = 200;
const MAX_LINE_CHARS = 1_000;
const MAX_CANDIDATES = 40;
const PATH_CHARS = 200;
const DENIED =
  /permission denied|operation not permitted|read-only file system|device or resource busy|\bE(?:ACCES|PERM|ROFS|BUSY)\b/i;
/** Errors of connections, and of names that cannot be resolved without one. */
const UNCONNECTED =
  /could ?n[o']t (?:resolve|connect)|failed to connect|name resolution|EAI_AGAIN|getaddrinfo|network is unreachable|\/dev\/(?:tcp|udp)\/|(?:connect|socket)\b.*(?:permission denied|not permitted|EACCES|EPERM)|(?:EACCES|EPERM).*(?:connect|socket)/i;

/** Undefined if nothing shows that it was the sandbox. */
export function explainRefusal({ sandbox, text, cwd, refusedAccess }: RefusalFacts): string | undefined {
  const lines = text.split("\n").slice(-MAX_LINES).reverse();
  const by = `Refused by the sandbox (${describeSandbox(sandbox)})`;
  for (const line of lines.filter((each) => DENIED.test(each)).map((each) => each.slice(0, MAX_LINE_CHARS))) {
    for (const candidate of pathsIn(line).slice(0, MAX_CANDIDATES)) {
      const path = resolve(cwd, candidate);
      const access = refusedAccess(path);
      const act = access === "read" ? "reading" : "writing to";
      if (access) return `${by}: ${act} ${quoteLine(path, { maxChars: PATH_CHARS })}`;
    }
  }
  const { network = "on" } = sandbox;
  if (network === "on" || !lines.some((line) => UNCONNECTED.test(line.slice(0, MAX_LINE_CHARS)))) return undefined;
  return typeof network === "string"
    ? `${by}: a connection`
    : `${by}: a connection that does not use the proxy in HTTPS_PROXY`;
}

/** What may be the path of an error, the likeliest first. */
function pathsIn(line: string): readonly string[] {
  const quoted = [...line.matchAll(/(["'`‘“])((?:(?!\1)[^’”\n])+)["'`’”]/g)].map(([, , inner = ""]) => inner);
  const absolute = [...line.matchAll(/(?:^|[\s:=('"‘“[])(\/[^\s:'"’”)\],]+)/g)].map(([, path = ""]) => path);
  const [before = "", after = ""] = line.split(DENIED);
  // "sh: 1: cannot create x: Permission denied", "Permission denied: x"
  const nearest = [
    before
      .replace(/:\s*$/, "")
      .split(/:\s+|\s+/)
      .at(-1),
    after.replace(/^[\s:,]+/, "").split(/\s/)[0],
  ];
  return [...quoted, ...absolute, ...nearest.filter((word) => word !== undefined && /[^\W_]/.test(word))] as string[];
}
