import { basename } from "node:path";
import type { HostElsewhere } from "../host/host-elsewhere.ts";

/**
 * The container in which a host runs its programs, from JSON. The label of its containers is that of its directory,
 * which only one host has.
 */
export async function elsewhereOf(inside: string, directory: string): Promise<HostElsewhere> {
  const [{ parseContainerSpec }, { containerElsewhere }] = await Promise.all([
    import("../places/container/parse-container-spec.ts"),
    import("../places/container/container-elsewhere.ts"),
  ]);
  return await containerElsewhere(parseContainerSpec(inside), basename(directory));
}
