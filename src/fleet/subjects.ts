/**
 * The subjects of a fleet on NATS. A host's user needs only its own `limpet.host.NAME.>`, the links of doors and its own
 * keys; a door's user only `limpet.host.*.*` and its own `limpet.door.DOOR.>`. Pure.
 */

/** One token of a subject, and the beginning of a session's address such as `gpu-1/7`. */
const NAME = /^[A-Za-z_][\w-]{0,62}$/;

export function isFleetName(text: unknown): text is string {
  return typeof text === "string" && NAME.test(text);
}

/** Requests for a new link to a host. */
export function openSubject(host: string): string {
  return `limpet.host.${host}.open`;
}

/** From a door to a host. */
export function toHostSubject(host: string, link: string): string {
  return `limpet.host.${host}.link.${link}`;
}

/** From a host to a door. */
export function toDoorSubject(door: string, link: string): string {
  return `limpet.door.${door}.link.${link}`;
}

/** Where answers to requests of a host or a door arrive: nobody else may listen there. */
export function inboxPrefix(kind: "host" | "door", name: string): string {
  return `_INBOX.${kind}.${name}`;
}
