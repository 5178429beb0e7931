/** Reads who a client says it is. Ignores what is missing or malformed. */
import { z } from "zod";
import { EVERYWHERE, type Scope } from "../../session/registry/resolve-session.ts";
import type { Hello } from "../protocol.ts";

export interface ReadHello {
  readonly client: string | undefined;
  readonly scope: Scope;
  readonly starter: string | undefined;
}

const MAX_CHARS = 8192;
const text = z.string().min(1).max(MAX_CHARS);
const scope = z.object({ project: text.nullable(), reach: z.enum(["project", "user"]) }) satisfies z.ZodType<Scope>;

export function readHello(hello: Partial<Hello>): ReadHello {
  return {
    client: text.safeParse(hello.client).data,
    scope: scope.safeParse(hello.scope).data ?? EVERYWHERE,
    starter: text.safeParse(hello.starter).data,
  };
}
