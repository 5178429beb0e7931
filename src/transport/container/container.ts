/** A running container, identified for the command line tool of its engine. */
import { LimpetError } from "../../base/limpet-error.ts";

/** The engines whose command line tools limpet calls. Both accept the same arguments. */
export type ContainerEngine = "docker" | "podman";

export interface Container {
  readonly engine: ContainerEngine;
  /** The name or the id of the container. */
  readonly name: string;
}

/** The command that runs `command` in the container, with stdin and stdout and without a terminal. */
export function execArgv({ engine, name }: Container, command: readonly string[]): readonly string[] {
  return [engine, "exec", "-i", requireContainer(name), ...command];
}

/** A name that starts with a hyphen would be an option of the tool. */
export function requireContainer(name: string): string {
  if (/^[A-Za-z0-9][\w.-]{0,254}$/.test(name)) return name;
  throw new LimpetError(
    "BAD_OPTION",
    `${JSON.stringify(name.slice(0, 100))} is not a container. Use the name or the id of a running container.`,
  );
}
