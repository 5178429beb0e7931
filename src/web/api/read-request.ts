/** Checks the requests of a page. Refuses a wrong value with `BAD_OPTION` and the name of the field. */
import type { z } from "zod";
import { LimpetError } from "../../base/limpet-error.ts";
import type { WebRequest } from "../server/route.ts";

/** The body of a request; a request without one has an empty body. */
export function bodyOf<Schema extends z.ZodType>({ body }: Pick<WebRequest, "body">, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw misfit(issue?.path.join(".") || "body", issue?.message ?? "unknown form");
}

/** The session that the path names. */
export function keyOf({ params }: Pick<WebRequest, "params">): string {
  const { id = "" } = params;
  if (id === "" || id.length > MAX_KEY_CHARS) throw misfit("id", "expected the id of a session");
  return id;
}

/** A whole number in the query; undefined if it is missing. */
export function numberIn({ query }: Pick<WebRequest, "query">, name: string): number | undefined {
  const text = query.get(name);
  if (text === null) return undefined;
  if (!/^\d{1,15}$/.test(text)) throw misfit(name, "expected a whole number");
  return Number(text);
}

/** A text in the query, of at most this length. */
export function textIn({ query }: Pick<WebRequest, "query">, name: string, maxChars: number): string {
  const text = query.get(name) ?? "";
  if (text === "" || text.length > maxChars) throw misfit(name, `expected 1 to ${maxChars} characters`);
  return text;
}

const MAX_KEY_CHARS = 512;

function misfit(field: string, why: string): LimpetError {
  return new LimpetError(
    "BAD_OPTION",
    `${field} does not match the API: ${why}. If the page sent it, reload the page.`,
  );
}
