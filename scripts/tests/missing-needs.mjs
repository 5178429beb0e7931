/** Finds which of the programs in test/support/needs.json are missing on this machine. */
import { accessSync, constants, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export const table = JSON.parse(readFileSync(new URL("../../test/support/needs.json", import.meta.url), "utf8"));

// Servers such as sshd are in folders that are not on an ordinary user's PATH.
const folders = [...(process.env.PATH ?? "").split(":"), "/usr/local/sbin", "/usr/sbin", "/sbin"].filter(Boolean);

export function missingNeeds() {
  return Object.keys(table).filter((command) => {
    const { file } = table[command];
    return !isOnPath(command) || (file !== undefined && !existsSync(file));
  });
}

export function isOnPath(command) {
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
