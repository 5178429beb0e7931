/** Finds out why a program did not start in a container, from the output of the engine's client. */
import type { Exit } from "../../base/exit.ts";
import { LimpetError, type LimpetErrorCode } from "../../base/limpet-error.ts";

/** Docker and podman report their own failures with these exit codes. A program may also use them. */
const OWN_CODES: readonly number[] = [1, 125, 126, 127];
const MAX_SHOWN = 300;

/** Messages of the clients. The first match wins. */
const FAILURES: readonly (readonly [pattern: RegExp, code: LimpetErrorCode, remedy: string])[] = [
  [
    /chdir to cwd|workdir .* does not exist|no such file or directory.*chdir/i,
    "DIRECTORY_NOT_FOUND",
    "Pass a directory that exists in the container.",
  ],
  [
    /exec failed.*(executable file.*not found|no such file or directory)/i,
    "PROGRAM_NOT_FOUND",
    "Pass a program that exists in the container.",
  ],
  [
    /exec failed.*permission denied/i,
    "PROGRAM_NOT_EXECUTABLE",
    "Pass a program that the user of the container may run.",
  ],
  [
    /No such container|no container with name|is not running|container state improper|can only create exec sessions/i,
    "PLACE_UNREACHABLE",
    "Start the container, and try again.",
  ],
  [
    /Cannot connect to the Docker daemon|error during connect|permission denied while trying to connect|unable to connect to Podman/i,
    "PLACE_UNREACHABLE",
    "Start the engine, or check the context of its command line tool.",
  ],
  [/OCI runtime|Error response from daemon/i, "SPAWN_FAILED", "Check the container with its command line tool."],
];

/** Undefined if the program ran. Pure. */
export function judgeStart(exit: Exit, printed: string, program: string): LimpetError | undefined {
  if (exit.kind !== "code" || !OWN_CODES.includes(exit.code)) return undefined;
  const [, code, remedy] = FAILURES.find(([pattern]) => pattern.test(printed)) ?? [];
  if (code === undefined) return undefined;
  const words = printed.replace(/\s+/g, " ").trim().slice(0, MAX_SHOWN);
  return new LimpetError(code, `${JSON.stringify(program)} did not start in the container (${words}). ${remedy}`);
}
