/** The subjects of a fleet on NATS. Who may use which of them: `security/permissions-of.ts`. Pure. */
import { LimpetError } from "../base/limpet-error.ts";

/** A name is one token of a subject, and the first part of a session's key such as `gpu-1/7`. */
const NAME = /^[A-Za-z_][\w-]{0,62}$/;

export function isFleetName(text: unknown): text is string {
  return typeof text === "string" && NAME.test(text);
}

/** `what`: how the error message calls the name, such as `--name`. */
export function requireFleetName(text: string, what: string): string {
  if (isFleetName(text)) return text;
  throw new LimpetError(
    "BAD_OPTION",
    `${what} is ${JSON.stringify(text)}. Use at most 63 letters, digits, - and _, beginning with a letter.`,
  );
}

/** Requests for a new link to a host. */
export function openSubject(host: string): string {
  return `limpet.host.${host}.open`;
}

/** Requests for a bid. */
export function bidSubject(host: string): string {
  return `limpet.host.${host}.bid`;
}

/** Requests of operators to a host, such as to drain. */
export function controlSubject(host: string): string {
  return `limpet.host.${host}.control`;
}

/** The two ends of a link, and its id. */
export interface LinkEnds {
  readonly host: string;
  readonly door: string;
  readonly link: string;
}

/** From a door to a host. Only that door may publish there. */
export function toHostSubject({ host, door, link }: LinkEnds): string {
  return `limpet.host.${host}.link.${door}.${link}`;
}

/** From a host to a door. Only that host may publish there. */
export function toDoorSubject({ host, door, link }: LinkEnds): string {
  return `limpet.door.${door}.link.${host}.${link}`;
}

/** The prefix of the subjects for answers to a host or a door. Nobody else may subscribe to them. */
export function inboxPrefix(kind: "host" | "door", name: string): string {
  return `_INBOX.${kind}.${name}`;
}
