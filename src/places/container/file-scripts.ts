/** Scripts for any POSIX shell that read and write a file in a container, and the meaning of their exit codes. */

const IS_DIRECTORY = 33;
const NOT_REGULAR = 34;
const DAMAGED = 35;
const MISSING = 36;

/** The problem and the remedy for each exit code. Other codes come from the engine, which prints the reason itself. */
export const FAILURES: Readonly<Record<number, readonly [problem: string, remedy: string]>> = {
  [IS_DIRECTORY]: ["it is a directory", "Add the name of a file to the path, or pack a directory with tar first."],
  [NOT_REGULAR]: ["it is not a regular file", "Use another path."],
  [DAMAGED]: ["it arrived damaged", "Copy it again."],
  [MISSING]: ["it does not exist", "Check the path: limpet creates no directories."],
};

/**
 * Writes stdin to a temporary file beside the target. Arguments: the path, the name of the file if the path is a
 * directory, and a suffix. Prints the path of the target with symbolic links resolved, and the path of the temporary
 * file.
 */
export const RECEIVE_SCRIPT: string = [
  "path=$1",
  `if [ -d "$path" ]; then [ -n "$2" ] || exit ${IS_DIRECTORY}; path=\${path%/}/$2; fi`,
  `case $path in */) exit ${MISSING};; esac; [ -d "\${path%/*}/" ] || exit ${MISSING}`,
  `if [ -e "$path" ]; then [ -f "$path" ] || exit ${NOT_REGULAR}; path=$(readlink -f "$path" || echo "$path"); fi`,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: For the shell.
  "beside=${path%/*}/.${path##*/}.$3",
  "umask 077; set -C",
  // `set -C` makes this fail if the file exists, so nobody else has it open.
  'exec 3>"$beside" || exit',
  'echo "$path"; echo "$beside"',
  "exec cat >&3",
].join("\n");

/**
 * Checks the temporary file and moves it to the target. Arguments: both paths, the permissions, the SHA-256, and the
 * size.
 */
export const END_SCRIPT: string = [
  "if command -v sha256sum >/dev/null; then",
  `  sum=$(sha256sum <"$1"); [ "\${sum%% *}" = "$4" ] || exit ${DAMAGED}`,
  `else [ "$(wc -c <"$1")" -eq "$5" ] || exit ${DAMAGED}; fi`,
  'chmod "$3" "$1" && mv -f "$1" "$2"',
].join("\n");

/** Prints the size and the permissions of a file. Argument: the path. */
export const FACTS_SCRIPT: string = [
  `[ -e "$1" ] || exit ${MISSING}; [ -d "$1" ] && exit ${IS_DIRECTORY}; [ -f "$1" ] || exit ${NOT_REGULAR}`,
  'wc -c <"$1" && stat -L -c %a "$1" 2>/dev/null || echo 644',
].join("\n");
