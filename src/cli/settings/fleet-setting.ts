import { resolve } from "node:path";
import { policyFiles } from "../../config/policy-files.ts";
import type { FleetSetting } from "../../config/settings/read-fleet.ts";
import { userConfig } from "../../config/user-config.ts";
import type { DoorRules } from "../../fleet/host/door-rules.ts";
import { processEnv } from "./settings.ts";

const FILES: ReadonlySet<string> = new Set(["LIMPET_FLEET_CREDS", "LIMPET_FLEET_NKEY", "LIMPET_FLEET_CA"]);

/** The NATS server of a fleet, and the credentials for it. Programs do not get these variables. */
export function fleetSetting(env: NodeJS.ProcessEnv = processEnv()): FleetSetting | undefined {
  const { fleet } = userConfig(env);
  const nats = env["LIMPET_FLEET_NATS"] || fleet?.nats;
  if (nats === undefined) return undefined;
  const [creds, nkey] = [env["LIMPET_FLEET_CREDS"], env["LIMPET_FLEET_NKEY"]];
  const tlsCa = env["LIMPET_FLEET_CA"] || fleet?.tlsCa;
  const door = env["LIMPET_FLEET_DOOR"] || fleet?.door;
  // One kind of credentials replaces the other.
  const proof = creds ? { creds } : nkey ? { nkey } : {};
  const set = Object.keys(proof).length > 0 ? {} : pick(fleet);
  return { nats, ...set, ...proof, ...(tlsCa ? { tlsCa } : {}), ...(door ? { door } : {}) };
}

/** The variables of a fleet, for another limpet process in another directory. */
export function fleetEnv(env: NodeJS.ProcessEnv = processEnv()): Readonly<Record<string, string>> {
  const given = Object.entries(env).flatMap(([name, value]) => {
    if (!name.startsWith("LIMPET_FLEET_") || !value) return [];
    return [[name, FILES.has(name) ? resolve(value) : value] as const];
  });
  return Object.fromEntries(given);
}

/** What clients of a fleet may do on this host. Only the policy of the host's own user applies. */
export function doorRules(env: NodeJS.ProcessEnv = processEnv()): DoorRules {
  return {
    ceiling: () => userConfig(env).sandbox?.ceiling,
    limits: () => userConfig(env).limits?.ceiling,
    policy: {
      rules: async () => {
        const { userFile } = policyFiles(env, "");
        return (await import("../../config/load-policy.ts")).loadPolicy({ userFile });
      },
      timeoutMs: userConfig(env).approvalTimeout,
    },
  };
}

function pick({ creds, nkey }: Partial<FleetSetting> = {}): Partial<FleetSetting> {
  return { ...(creds === undefined ? {} : { creds }), ...(nkey === undefined ? {} : { nkey }) };
}
