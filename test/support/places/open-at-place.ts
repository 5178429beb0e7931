/** Sessions and shells of the place at which a suite runs. */
import { openServiceShell } from "../../../src/library/shell.ts";
import type { OpenOptions } from "../../../src/session/open/open-options.ts";
import { openSession } from "../../../src/session/open/open-session.ts";
import type { Session } from "../../../src/session/session.ts";
import { openShell, type ShellOptions } from "../../../src/shell/open-shell.ts";
import type { RunOptions } from "../../../src/shell/run-options.ts";
import type { RunResult } from "../../../src/shell/run-result.ts";
import type { Shell } from "../../../src/shell/shell.ts";
import { FarSession } from "./far-session.ts";
import { hasOwnSessions, skipAtPlace } from "./is-at-place.ts";
import { clientOfPlace, containerUnderTest } from "./place-under-test.ts";

/** Programs in a container inherit nothing of this process. */
async function inContainer() {
  const { containerTransport } = await import("../../../src/transport/container/container-transport.ts");
  const transport = containerTransport({ container: containerUnderTest(), isHere: true });
  return { transport, baseEnv: async () => ({}) };
}

export async function openAtPlace(options: OpenOptions): Promise<Session> {
  if (hasOwnSessions()) return await openSession({ ...(await inContainer()), ...options });
  return (await FarSession.open(options)) as unknown as Session;
}

export async function openShellAtPlace(options: ShellOptions): Promise<Shell> {
  if (!hasOwnSessions()) return await farShell(options);
  const { transport, baseEnv } = await inContainer();
  return await openShell({ transport, open: (given) => openSession({ baseEnv, ...given }), ...options });
}

/** Skips a test that uses what only a shell in this process has. */
async function farShell({ shell, startFiles, cwd, env, ...others }: ShellOptions): Promise<Shell> {
  const unknown = Object.keys(others);
  if (unknown.length > 0) skipAtPlace(`it sets ${unknown.join(" and ")}`);
  const client = clientOfPlace();
  const given = { shell, startFiles, cwd, env };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const far = await openServiceShell(client, crypto.randomUUID(), set);
  const run = async (command: string, options: RunOptions = {}): Promise<RunResult> => {
    const { timeoutMs, stdin, signal, ...rest } = options;
    const more = Object.keys(rest);
    if (more.length > 0 || stdin instanceof Uint8Array) skipAtPlace(`it runs a command with ${more.join(" and ")}`);
    const known = Object.entries({ timeoutMs, stdin, signal }).filter(([, value]) => value !== undefined);
    return (await far.run(command, Object.fromEntries(known))) as RunResult;
  };
  const known = {
    run,
    write: (text: string) => client.write(far.session.id, text),
    [Symbol.asyncDispose]: async () => {
      await far.session.close({ force: true });
      client.disconnect();
    },
  };
  return new Proxy(known, {
    get: (target, name) => {
      if (name in target) return target[name as keyof typeof known];
      // `await` reads `then` of every object.
      return name === "then" ? undefined : skipAtPlace(`it uses ${String(name)} of its shell`);
    },
  }) as unknown as Shell;
}
