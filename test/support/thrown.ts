/** What a call throws. */
import { LimpetError } from "../../src/base/limpet-error.ts";

/** Undefined if it throws nothing. */
export function codeOfThrown(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    if (error instanceof LimpetError) return error.code;
    throw error;
  }
}
