/** The facts about a session by which an act in it is judged. */
import { basename } from "node:path";
import { readProcess } from "../../linux/processes/processes.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { looksLikeShell } from "../../transport/env/child-env.ts";
import type { ActFacts } from "./approval.ts";
import type { DefinedNames } from "./defined-names.ts";

export function actFacts(session: Session, defined: DefinedNames): ActFacts {
  const { foreground, finishes } = internalsOf(session);
  const program = (session.pid === null ? undefined : readProcess(session.pid)?.name) ?? basename(session.program);
  const names = defined.of(session);
  return {
    session: session.id,
    reader: foreground ?? program,
    shell: foreground === null && looksLikeShell(program) ? session.program : null,
    directory: finishes.directory ?? session.cwd,
    sandbox: session.sandbox ?? null,
    isShared: names !== undefined,
    definedNames: names ?? [],
  };
}
