/** One kind of request to the sessions of a host: the schema of its params, and the call that serves it. */
import type { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionService } from "../../service/session-service.ts";

export interface Request {
  /** One answer, an answer that is mostly output, a stream of values, or no answer. */
  readonly kind: "answer" | "reading" | "stream" | "notice";
  /** Checks the request. Throws `BAD_OPTION` with the name of the field. */
  parse(params: unknown): Record<string, unknown>;
  serve(service: SessionService, params: never): unknown;
}

export function defineRequest<Schema extends z.ZodObject>(
  kind: Request["kind"],
  schema: Schema,
  serve: (service: SessionService, request: z.output<Schema>) => unknown,
): Request {
  return {
    kind,
    parse: (params) => requireParams(schema, params) as Record<string, unknown>,
    serve: serve as Request["serve"],
  };
}

/** Throws `BAD_OPTION` with the name of the field. */
export function requireParams<Schema extends z.ZodObject>(schema: Schema, params: unknown): z.output<Schema> {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join(".") || "params";
  throw new LimpetError(
    "BAD_OPTION",
    `${field} does not match the protocol: ${issue?.message}. Correct it and send it again.`,
  );
}
