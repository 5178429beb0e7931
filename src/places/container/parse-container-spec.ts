/**
 * Reads the container of a host from its command line. A file of its own, because only hosts need the library that
 * checks it.
 */
import { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
import type { ContainerSpec } from "./container-spec.ts";

const engine = z.enum(["docker", "podman"]);
const text = z.string().min(1).max(4096);
const schema: z.ZodType<ContainerSpec> = z.union([
  z.strictObject({ engine, name: text }),
  z.strictObject({ engine, image: text, workspace: text, reuse: z.boolean().optional() }),
]);

/** Throws `BAD_OPTION`. */
export function parseContainerSpec(given: string): ContainerSpec {
  const parsed = schema.safeParse(safeJson(given));
  if (parsed.success) return parsed.data;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(given.slice(0, 200))} does not describe a container. limpet sets this option itself: leave it out.`,
  );
}

function safeJson(given: string): unknown {
  try {
    return JSON.parse(given);
  } catch {
    return undefined;
  }
}
