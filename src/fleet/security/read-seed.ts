import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { type FleetKey, readFleetKey } from "./fleet-key.ts";

/** Reads a key of the fleet from its directory. */
export function readSeed(path: string, whose: "account" | "operator"): FleetKey {
  const file = join(path, `keys/${whose}.seed`);
  try {
    return readFleetKey(readFileSync(file, "utf8"), file);
  } catch (error) {
    if (error instanceof LimpetError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new LimpetError(
      "FILE_FAILED",
      `${file} cannot be read (${code}). Give the directory that limpet fleet init has written.`,
      { cause: error },
    );
  }
}
