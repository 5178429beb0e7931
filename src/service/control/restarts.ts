/**
 * Ends a session and starts its program again: same arguments, directory, environment, size, name, owner, sandbox,
 * limits and secrets.
 */
import { LimpetError } from "../../base/limpet-error.ts";
import { readKernelFile } from "../../linux/proc-file.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { nameOf } from "../listing/listing.ts";
import type { Shells } from "../shells/shells.ts";
import type { Starts } from "../starts.ts";
import type { RestartedSession, RestartOptions } from "./control-requests.ts";

interface RestartParts {
  readonly registry: SessionRegistry;
  readonly shells: Shells;
  readonly starts: Starts;
}

/** The session's own variables, which the new session sets itself. */
const OWN_VARIABLE = /^LIMPET_SESSION_/;

export class Restarts {
  readonly #parts: RestartParts;

  constructor(parts: RestartParts) {
    this.#parts = parts;
  }

  async restart(session: Session, { env }: RestartOptions): Promise<RestartedSession> {
    const { shells, starts } = this.#parts;
    if (shells.has(session)) {
      throw new LimpetError(
        "BAD_OPTION",
        `Session ${session.id} is a shell of the tool run. Close it instead: the next command starts a new one.`,
      );
    }
    const { program, args, cwd, tty, size, name, owner, sandbox, limits, secretEnv } = session;
    // It is readable only while the program runs.
    const ownEnv = session.exit === undefined ? environmentOf(session.pid) : undefined;
    if (session.exit === undefined) await this.#end(session);
    const endsWhenLeft = starts.endsWhenLeft(session);
    const { isReused: _isReused, ...started } = await starts.start(
      {
        ...{ program, args, cwd, tty, ...(tty ? { size } : {}), name, env: ownEnv ?? env },
        ...{ endsWhenLeft, sandbox, limits, secretEnv, copy: internalsOf(session).isCopied },
      },
      { owner: owner ?? { caller: "person", project: null } },
    );
    return { ...started, former: nameOf(session) };
  }

  async #end(session: Session): Promise<void> {
    const { left } = await this.#parts.registry.end(session.id);
    if (left.length === 0) return;
    throw new LimpetError(
      "SESSION_CLOSING",
      `Session ${session.id} could not be ended: ${left.length} processes are left. Kill it with: limpet kill --force ${session.id}`,
    );
  }
}

/** The variables with which a process was started; undefined if they are not readable. */
function environmentOf(pid: number | null): Record<string, string> | undefined {
  const content = pid === null ? undefined : readKernelFile(`/proc/${pid}/environ`);
  if (!content) return undefined;
  const variables = content
    .split("\0")
    .map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)] as const)
    .filter(([variable]) => variable !== "" && !OWN_VARIABLE.test(variable));
  return Object.fromEntries(variables);
}
