/**
 * Finds a shell in a container that keeps its state between commands. limpet recognises the kind of a shell by its
 * name.
 */

/** Prints the path of bash, or the file that /bin/sh links to. */
export const ASK_SHELL = "command -v bash || readlink -f /bin/sh";

/** The printed path, or `/bin/sh` if nothing useful was printed. Pure. */
export function shellOr(printed: string | undefined): string {
  return printed?.startsWith("/") ? printed.trim() : "/bin/sh";
}
