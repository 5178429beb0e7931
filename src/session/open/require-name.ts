import { MAX_NAME_LENGTH } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { makeVisible } from "../../text/clean/make-visible.ts";
import { quoteLine } from "../../text/clean/quote-line.ts";

/**
 * Throws unless `name` can name a session. Names are accepted in place of ids, so a name must not look like an id. A
 * slash separates the name of a place from the key, so names contain none, except for a path as the name of a shell,
 * which models use.
 */
export function requireName(name: string): void {
  const isVisible = makeVisible(name) === name && name.trim() === name && !/[\t\n]/.test(name);
  const isShown = name.length > 0 && name.length <= MAX_NAME_LENGTH && isVisible;
  if (isShown && name.includes("/") && !name.startsWith("/")) {
    throw new LimpetError("BAD_OPTION", `name must not contain / (got ${quoteLine(name)}). Pass another name.`);
  }
  if (isShown && !/^\d+$/.test(name)) return;
  throw new LimpetError(
    "BAD_OPTION",
    `name must be 1 to ${MAX_NAME_LENGTH} visible characters, not only digits (got ${quoteLine(name)}). Pass another name.`,
  );
}
