/**
 * Adds the fingerprint of the known key to the error of ssh about a changed host key. ssh prints only the fingerprint
 * of the new key, and the line of the file with the known one.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { LimpetError } from "../../base/limpet-error.ts";

/** Returns the same error if it is about something else, or if the line cannot be read. */
export function withKnownFingerprint(error: unknown): unknown {
  if (!(error instanceof LimpetError) || error.code !== "PLACE_UNREACHABLE") return error;
  const [, file, line] = /Offending \w+ key in (.+?):(\d+)/.exec(error.message) ?? [];
  if (file === undefined) return error;
  const known = fingerprintOf(lineOf(file, Number(line)));
  if (known === undefined) return error;
  return new LimpetError(error.code, `${error.message} | The known key is ${known}.`, { cause: error.cause });
}

/**
 * The fingerprint of the key in a line of known_hosts: an optional marker, then names, type and key. Undefined if the
 * line has no key. Pure.
 */
export function fingerprintOf(line: string): string | undefined {
  const words = line.trim().split(/\s+/);
  const [, type = "", key = ""] = words[0]?.startsWith("@") ? words.slice(1) : words;
  if (key === "" || !/^[\w@.-]+$/.test(type)) return undefined;
  return `SHA256:${createHash("sha256").update(Buffer.from(key, "base64")).digest("base64").replace(/=+$/, "")} (${type})`;
}

function lineOf(file: string, number: number): string {
  try {
    return readFileSync(file, "utf8").split("\n")[number - 1] ?? "";
  } catch {
    return "";
  }
}
