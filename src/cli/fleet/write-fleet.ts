/** `limpet fleet init` and `limpet fleet add`: credentials for the machines of a fleet, and what to do with them. */
import { relative } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { FleetUser } from "../../fleet/security/fleet-user.ts";
import { addFleetUser, initFleet } from "../../fleet/security/init-fleet.ts";
import { revokeUser } from "../../fleet/security/revoke-user.ts";
import { NATS_PORT } from "../../fleet/security/server-config.ts";
import { expiryIn } from "./expiry-in.ts";

export interface FleetReport {
  readonly text: string;
  readonly json: unknown;
}

interface InitRequest {
  readonly hosts: readonly string[];
  readonly doors: readonly string[];
  readonly servers: readonly string[];
}

const HERE = ["localhost", "127.0.0.1", "::1"];

export function initReport(directory: string, { hosts, doors, servers }: InitRequest): FleetReport {
  const users = [...hosts.map(userOf("host")), ...doors.map(userOf("door"))];
  const files = initFleet(directory, { users, servers: servers.length > 0 ? servers : HERE });
  const server = servers[0] ?? "localhost";
  const at = `--join tls://${server}:${NATS_PORT} --tls-ca ${directory}/ca.crt`;
  const [host = "NAME"] = hosts;
  const text = [
    `Wrote ${directory}. Keep keys/ to yourself: whoever has it can add machines to the fleet.`,
    "",
    "Next:",
    `  nats-server --config ${directory}/server/nats-server.conf`,
    `  limpet host run ${at} --name ${host} --creds ${directory}/hosts/${host}.creds`,
    `  limpet fleet add host|door NAME ${directory}`,
    "",
    "Copy to each machine only its own .creds file and ca.crt.",
    ...files.map((file) => `  ${shown(directory, file)}`),
    "Hosts that use --journal-key, and machines that read the copied output, also need journal.key.",
  ].join("\n");
  return { text, json: { directory, files } };
}

/** `validFor`: how long NATS accepts the credentials. Default: for ever. */
export function addReport(words: readonly string[], validFor: string | undefined): FleetReport {
  const { user, directory } = machineIn("add", words);
  const expiresMs = validFor === undefined ? undefined : expiryIn(validFor, Date.now());
  const file = addFleetUser(directory, { ...user, expiresMs });
  const expires = expiresMs === undefined ? null : new Date(expiresMs).toISOString();
  const until = expires === null ? "" : ` It is valid until ${expires}.`;
  const text = [
    `Wrote ${file}. Copy it to the machine of ${user.name}, with ${directory}/ca.crt.${until}`,
    "A host that uses --journal-key, or a machine that reads the copied output, also needs journal.key.",
  ].join("\n");
  return { text, json: { file, expires } };
}

export function revokeReport(words: readonly string[]): FleetReport {
  const { user, directory } = machineIn("revoke", words);
  const file = revokeUser(directory, user);
  const text = [
    `Revoked ${user.name} in ${file}, and deleted its credentials here.`,
    "",
    "NATS disconnects it after a reload. On the machine of nats-server:",
    "  copy nats-server.conf there, if that is another machine",
    "  nats-server --signal reload",
    "",
    `New credentials: limpet fleet add ${user.kind} ${user.name} ${directory}`,
  ].join("\n");
  return { text, json: { file } };
}

function machineIn(action: string, words: readonly string[]): { readonly user: FleetUser; readonly directory: string } {
  const [kind, name, directory, ...more] = words;
  const isKind = kind === "host" || kind === "door";
  if (!isKind || name === undefined || directory === undefined || more.length > 0)
    throw new LimpetError(
      "BAD_OPTION",
      `limpet fleet ${action} needs host or door, a name, and the directory of the fleet. ` +
        `Use: limpet fleet ${action} host|door NAME DIR`,
    );
  return { user: { kind, name }, directory };
}

function userOf(kind: FleetUser["kind"]): (name: string) => FleetUser {
  return (name) => ({ kind, name });
}

function shown(directory: string, file: string): string {
  return `${directory}/${relative(directory, file)}`;
}
