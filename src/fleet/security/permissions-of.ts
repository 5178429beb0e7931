/**
 * What each user of NATS may publish and subscribe to: the least that its part of the fleet needs. Pure.
 *
 * A host has no right to create consumers: NATS delivers the messages of a consumer to any subject that its creator
 * names, so that a host could write what it cannot publish. Doors need them to list the hosts; a door can start
 * programs on every host anyway.
 */
import { inboxPrefix } from "../subjects.ts";

export type UserKind = "host" | "door" | "operator";

export interface Permissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
  /** How many messages it may send to the reply subject of a request that it has received. */
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
      // It writes names and numbers of sessions under keys of its own, and reads those of all hosts, which are hashes.
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
    // What hosts write about themselves, as they write it.
    subscribe: [
      `limpet.door.${name}.>`,
      `${inboxPrefix("door", name)}.>`,
      ...SHARED.map((bucket) => writeKey(bucket, "*")),
    ],
    answers: 0,
  };
}

/** A person with this user can do all that a door can, drain hosts, give them up, and write quotas. */
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

/** Hosts and doors create what is missing: an emptied NATS comes back without an operator. */
function openStream(stream: string): readonly string[] {
  return [`$JS.API.STREAM.INFO.${stream}`, `$JS.API.STREAM.CREATE.${stream}`];
}

function writeKey(bucket: string, key: string): string {
  return `$KV.${bucket}.${key}`;
}

function readKey(bucket: string, key: string): string {
  return `$JS.API.DIRECT.GET.KV_${bucket}.$KV.${bucket}.${key}`;
}

/** Reads every entry of the bucket, one by one. */
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
