/** Opens the ports and socket files of a server. */
import { chmodSync, lstatSync, renameSync, rmSync } from "node:fs";
import type { Server } from "node:net";
import { LimpetError } from "../../base/limpet-error.ts";

/** Another process may take a port between its two addresses. */
const MAX_TRIES = 20;

/**
 * Listens on 127.0.0.1 and, where it exists, on ::1, with the same port: browsers try both for names of this machine,
 * and another program must not answer on one of them. `port` 0: any that is free.
 */
export async function listenOnLoopback(make: () => Server, port: number): Promise<{ servers: Server[]; port: number }> {
  for (let tries = 1; ; tries += 1) {
    const first = await listenAt(make(), { host: "127.0.0.1", port });
    const chosen = portOf(first);
    try {
      const second = make();
      const isThere = await listenAt(second, { host: "::1", port: chosen, ipv6Only: true }).catch(unlessMissing);
      return { servers: isThere ? [first, second] : [first], port: chosen };
    } catch (error) {
      first.close();
      if (port !== 0 || tries >= MAX_TRIES) throw error;
    }
  }
}

export async function listenOnAddress(server: Server, host: string, port: number): Promise<number> {
  return portOf(await listenAt(server, { host, port }));
}

/** Only its owner can use it. Replaces the file of a server that has ended. */
export async function listenOnFile(server: Server, path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isSocket())
    throw new LimpetError("BAD_OPTION", `${path} is not a socket. Give --socket another path.`);
  const hidden = `${path}.new`;
  rmSync(hidden, { force: true });
  await listenAt(server, { path: hidden });
  chmodSync(hidden, 0o600);
  renameSync(hidden, path);
}

type ListenOptions = Parameters<Server["listen"]>[0] & object;

function listenAt(server: Server, options: ListenOptions): Promise<Server> {
  return new Promise((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException) => reject(cannotListen(options, cause));
    server.once("error", onError);
    server.listen(options, () => {
      server.off("error", onError);
      // Later errors affect only one connection, which then ends.
      server.on("error", () => undefined);
      resolve(server);
    });
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** A machine without IPv6. */
function unlessMissing(error: LimpetError): undefined {
  const { code } = error.cause as NodeJS.ErrnoException;
  if (code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT") return undefined;
  throw error;
}

function cannotListen(options: ListenOptions, cause: NodeJS.ErrnoException): LimpetError {
  const { host, port, path } = options as { readonly host?: string; readonly port?: number; readonly path?: string };
  const where = path?.replace(/\.new$/, "") ?? `${host} port ${port}`;
  const remedy = path === undefined ? "Give another --port." : "Give --socket a shorter path that you can write to.";
  const why = cause.code === "EADDRINUSE" ? "another program listens there" : String(cause.code);
  return new LimpetError("WEB_START_FAILED", `The web server cannot listen on ${where}: ${why}. ${remedy}`, { cause });
}
