import type { Bus } from "../../fleet/nats/bus.ts";
import { connectNats } from "../../fleet/nats/connect-nats.ts";
import { doorIn } from "../../fleet/nats/door-in.ts";
import type { Args } from "../args/command.ts";
import { textOf } from "../args/read-args.ts";
import { fleetSetting } from "../settings/fleet-setting.ts";
import { accessOf } from "./nats-args.ts";

/** Connects a command to the NATS server of the fleet while it runs. */
export async function withBus<T>(args: Args, work: (bus: Bus) => Promise<T>): Promise<T> {
  const setting = fleetSetting();
  const access = accessOf(args, textOf(args, "nats"), setting);
  const bus = await connectNats({ access, kind: "door", name: setting?.door ?? doorIn(access.creds) ?? "door" });
  try {
    return await work(bus);
  } finally {
    await bus.close();
  }
}
