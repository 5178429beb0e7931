/**
 * What each NATS user may publish and subscribe to: as little as its role in the fleet needs. Pure.
 *
 * A host may not create consumers. NATS delivers the messages of a consumer to any subject that its creator names, so a
 * host could write to subjects that it may not publish to. Doors need consumers to list the hosts. That adds no risk,
 * because a door can start programs on every host anyway.
 */
import { inboxPrefix } from "../subjects.ts";

export type UserKind = "host" | "door" | "operator";

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** How many messages the user may send to the reply subject of a request that it has received. */
  readonly answers: number;
}

const SHARED = ["limpet-hosts", "limpet-members"] as const;
const NAMES = "limpet-names";
const COUNTS = "limpet-counts";
const QUOTAS = "limpet-quotas";
const JOURNALS = "limpet-journals";

export function permissionsOf(kind: UserKind, name: string): Permissions {
  switch (kind) {
    case "host":
      return hostPermissions(name);
    case "door":
      return doorPermissions(name);
    case "operator":
      return operatorPermissions(name);
  }
}

function hostPermissions(name: string): Permissions {
  return {
    publish: [
      `limpet.door.*.link.${name}.*`,
      `limpet.journal.${name}.>`,
      "$JS.API.INFO",
      ...[...SHARED, NAMES, COUNTS, QUOTAS].flatMap((bucket) => openStream(`KV_${bucket}`)),
      ...openStream(JOURNALS),
      ...SHARED.flatMap((bucket) => [writeKey(bucket, name), readKey(bucket, name)]),
      // A host writes the names and counts of its sessions with its own keys. It reads those of all hosts, which are
      // hashes.
      writeKey(NAMES, `${name}.*`),
      readKey(NAMES, `${name}.*`),
      matchKeys(NAMES),
      writeKey(COUNTS, `*.${name}`),
      readKey(COUNTS, `*.${name}`),
      matchKeys(COUNTS),
      readKey(QUOTAS, ">"),
    ],
    subscribe: [`limpet.host.${name}.>`, `${inboxPrefix("host", name)}.>`],
    answers: 1,
  };
}

function doorPermissions(name: string): Permissions {
  return {
    publish: [
      ...["open", "bid", `link.${name}.*`].map((end) => `limpet.host.*.${end}`),
      "$JS.API.INFO",
      ...[...SHARED, QUOTAS].flatMap((bucket) => openStream(`KV_${bucket}`)),
      ...[...SHARED, QUOTAS].map((bucket) => readKey(bucket, ">")),
      ...SHARED.map((bucket) => matchKeys(bucket)),
      ...SHARED.flatMap((bucket) => followStream(`KV_${bucket}`)),
      `$JS.API.STREAM.INFO.${JOURNALS}`,
      `$JS.API.DIRECT.GET.${JOURNALS}.limpet.journal.>`,
    ],
    // The last ones deliver leases and entries as hosts write them.
    subscribe: [
      `limpet.door.${name}.>`,
      `${inboxPrefix("door", name)}.>`,
      ...SHARED.map((bucket) => writeKey(bucket, "*")),
    ],
    answers: 0,
  };
}

/** An operator may do everything that a door may, and drain hosts, give them up, and write quotas. */
function operatorPermissions(name: string): Permissions {
  const door = doorPermissions(name);
  const more = [
    "limpet.host.*.control",
    writeKey(QUOTAS, ">"),
    writeKey("limpet-members", ">"),
    ...[NAMES, COUNTS].flatMap((bucket) => [...openStream(`KV_${bucket}`), writeKey(bucket, ">"), matchKeys(bucket)]),
  ];
  return { ...door, publish: [...door.publish, ...more] };
}

/** Hosts and doors create missing streams, so that a NATS that has lost its data works again without an operator. */
function openStream(stream: string): readonly string[] {
  return [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`];
}

function writeKey(bucket: string, key: string): string {
  return `$KV.${bucket}.${key}`;
}

function readKey(bucket: string, key: string): string {
  return `$JS.API.DIRECT.GET.KV_${bucket}.$KV.${bucket}.${key}`;
}

/** Allows reading every entry of the bucket, one by one. */
function matchKeys(bucket: string): string {
  return `$JS.API.DIRECT.GET.KV_${bucket}`;
}

function followStream(stream: string): readonly string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream}.>`,
    ...["INFO", "DELETE", "MSG.NEXT"].map((verb) => `$JS.API.CONSUMER.${verb}.${stream}.*`),
    `$JS.FC.${stream}.>`,
  ];
}
