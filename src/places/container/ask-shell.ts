/** Which shell of a container can keep its state between commands. Its kind must be known by its name. */

/** Prints the path of bash, or what /bin/sh really is. */
export const ASK_SHELL = "command -v bash || readlink -f /bin/sh";

/** Pure: the path that was printed, if it was one. */
export function shellOr(printed: string | undefined): string {
  return printed?.startsWith("/") ? printed.trim() : "/bin/sh";
}
