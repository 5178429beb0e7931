/** A container that runs, as the command line tool of its engine finds it. */
import { LimpetError } from "../../base/limpet-error.ts";

/** The engines whose command line tools limpet calls. Both take the same words. */
export type ContainerEngine = "docker" | "podman";

export interface Container {
  readonly engine: ContainerEngine;
  /** Its name or id. */
  readonly name: string;
}

/** Runs `command` in the container, with stdin and stdout and without a terminal. */
export function execArgv({ engine, name }: Container, command: readonly string[]): readonly string[] {
  return [engine, "exec", "-i", requireContainer(name), ...command];
}

/** The tools would take a name that begins with a hyphen for an option. */
export function requireContainer(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,254}$/.test(name)) return name;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(name.slice(0, 100))} is not a container. Use the name or the id of a container that runs.`,
  );
}
