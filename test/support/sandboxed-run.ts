/** Runs commands of a test in sandboxes of one project. */
import type { SandboxKeeper } from "../../src/base/sandbox-request.ts";
import { openSession, type Session } from "../../src/entries/session.ts";
import { type Sandbox, sandboxTransport } from "../../src/entries/transport.ts";

interface Ran {
  /** How it ended, if not with a code. */
  readonly code: unknown;
  readonly text: string;
}

type Given = [sandbox: Partial<Sandbox>, command: string, options?: { readonly tty?: boolean }];
type OpenIn = (...given: Given) => Promise<Session>;
type RunIn = (...given: Given) => Promise<Ran>;

/** The function opens a session for a command in a sandbox. */
export function openerIn(project: string, keeper: SandboxKeeper | undefined): OpenIn {
  return async (sandbox, command, options = {}) => {
    const transport = sandboxTransport({ files: "workspace", project, with: keeper, ...sandbox });
    return await openSession({ command, shell: "/bin/bash", cwd: project, transport, ...options });
  };
}

/** The function runs a command in a sandbox: its exit code and all it printed. */
export function runnerIn(project: string, keeper: SandboxKeeper | undefined): RunIn {
  const open = openerIn(project, keeper);
  return async (...given) => {
    const session = await open(...given);
    const exit = await session.exited;
    const { text } = await session.text();
    await session.close({ force: true });
    return { code: exit.kind === "code" ? exit.code : exit, text: text.trim() };
  };
}
