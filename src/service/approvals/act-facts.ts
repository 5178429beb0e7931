/** The facts about a session by which an act in it is judged. */
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { ActFacts } from "./approval.ts";
import type { DefinedNames } from "./defined-names.ts";
import { programOf, readingShell } from "./given-texts.ts";

export async function actFacts(session: Session, defined: DefinedNames): Promise<ActFacts> {
  const names = await defined.of(session);
  const { foreground, finishes } = internalsOf(session);
  return {
    session: session.id,
    reader: foreground ?? programOf(session),
    shell: readingShell(session),
    directory: finishes.directory ?? session.cwd,
    sandbox: session.sandbox ?? null,
    isShared: names !== undefined,
    definedNames: names ?? [],
  };
}
