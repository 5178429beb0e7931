/** Where NATS is, from flags, variables and `config.json`. */
import { resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { FleetSetting } from "../../config/settings/read-fleet.ts";
import { describeAccess, type NatsAccess } from "../../fleet/nats/nats-access.ts";
import type { ArgSpecs, Args } from "../args/command.ts";
import { isOn, textOf } from "../args/read-args.ts";
import { fleetSetting } from "../settings/fleet-setting.ts";

/** The credentials for NATS. */
export const proofArgs: ArgSpecs = {
  creds: { type: "string", hint: "FILE", description: "Credentials for NATS" },
  nkey: { type: "string", hint: "FILE", description: "The seed of a key for NATS, instead of --creds" },
  "tls-ca": { type: "string", hint: "FILE", description: "The certificate authority of the NATS server" },
};

/** For commands that reach a fleet. */
export const natsArgs: ArgSpecs = {
  nats: {
    type: "string",
    hint: "URL",
    description: "The NATS server of the fleet. Default: fleet.nats in config.json",
  },
  ...proofArgs,
};

/** For commands that can show the sessions of a whole fleet. */
export const fleetArgs: ArgSpecs = {
  fleet: { type: "boolean", description: "The sessions of all hosts of the fleet" },
  ...natsArgs,
};

/** The flags that were given, for a process in another directory. */
export function fleetFlags(args: Args): readonly string[] {
  const given = Object.keys(natsArgs).flatMap((name) => {
    const text = textOf(args, name);
    return text === undefined ? [] : [`--${name}=${name === "nats" ? text : resolve(text)}`];
  });
  return isOn(args, "fleet") ? ["--fleet", ...given] : given;
}

/** The NATS server of the fleet that `--fleet` means, without passwords; undefined without that flag. */
export function askedFleet(args: Args): string | undefined {
  return isOn(args, "fleet") ? describeAccess(accessOf(args, textOf(args, "nats"), fleetSetting())) : undefined;
}

/** The flags win over what is set. Rejects with BAD_OPTION if no server is known. */
export function accessOf(args: Args, url: string | undefined, setting: FleetSetting | undefined): NatsAccess {
  const server = url ?? setting?.nats;
  if (server === undefined)
    throw new LimpetError(
      "BAD_OPTION",
      'No fleet is known. Give --nats URL, set LIMPET_FLEET_NATS, or add "fleet": { "nats": URL } to config.json.',
    );
  const file = (flag: string) => {
    const path = textOf(args, flag);
    return path === undefined ? undefined : resolve(path);
  };
  const [creds, nkey] = [file("creds"), file("nkey")];
  const proof =
    creds === undefined && nkey === undefined ? { creds: setting?.creds, nkey: setting?.nkey } : { creds, nkey };
  return { url: server, ...proof, tlsCa: file("tls-ca") ?? setting?.tlsCa };
}
