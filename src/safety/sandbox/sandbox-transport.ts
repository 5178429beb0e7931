/** Starts programs in a sandbox on this machine: with a real terminal, job control and all that sessions can do. */
import { closeSync } from "node:fs";
import { join } from "node:path";
import { openLocally } from "../../transport/local/local-transport.ts";
import type { Channel, ChannelOptions, Transport } from "../../transport/transport.ts";
import type { Box } from "./box.ts";
import type { Place } from "./box-options.ts";
import { enterBox } from "./enter-box.ts";
import { requireShown } from "./namespaces/require-shown.ts";
import { proxyEnv } from "./network/proxy-env.ts";
import { type ProxyUse, useProxy } from "./network/use-proxy.ts";
import { cacheEnv } from "./own-cache.ts";
import { resolveSandbox } from "./resolve-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/** Tells a program that it runs in a sandbox, and in which. */
const VARIABLE = "LIMPET_SANDBOX";

/** How host names are resolved, and what is called with the hosts that are refused. */
export type SandboxNames = Pick<ProxyUse, "onRefused" | "resolve">;

/** Runs programs on this machine in a sandbox. */
export function sandboxTransport(sandbox: Sandbox, names: SandboxNames = {}): Transport {
  return { open: (options) => openInSandbox(options, sandbox, names) };
}

async function openInSandbox(options: ChannelOptions, sandbox: Sandbox, names: SandboxNames): Promise<Channel> {
  const resolved = resolveSandbox(sandbox, options.cwd);
  const { network } = resolved;
  if (resolved.keeper === "bwrap") requireShown(options, resolved);
  const { box, place } = await enterBox(resolved);
  const access = typeof network === "string" ? undefined : await useProxy({ hosts: network, ...names });
  const env = {
    ...options.env,
    ...(access && proxyEnv(access.url)),
    ...(resolved.cache === undefined ? {} : cacheEnv(resolved.cache)),
    [VARIABLE]: sandbox.files,
    TMPDIR: box.temporary,
    // zsh ignores TMPDIR: without this, its here-documents have no place for their files.
    TMPPREFIX: join(box.temporary, "zsh"),
  };
  const leave = () => {
    access?.end();
    place.leave();
  };
  try {
    const channel = await start({ ...options, env }, box, place);
    void Promise.all([channel.exited, channel.outputEnded]).then(leave);
    return channel;
  } catch (error) {
    leave();
    throw error;
  }
}

async function start(options: ChannelOptions, { fileRoots }: Box, { pty, spawn }: Place): Promise<Channel> {
  if (options.tty) return await openLocally(options, { spawn, pty, fileRoots });
  closeSync(pty.master);
  closeSync(pty.slave);
  return await openLocally(options, { spawn, fileRoots });
}
