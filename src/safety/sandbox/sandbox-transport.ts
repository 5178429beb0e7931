/** Starts programs in a sandbox on this machine: with a real terminal, job control and all that sessions can do. */
import { closeSync } from "node:fs";
import { openLocally } from "../../transport/local-transport.ts";
import type { Channel, ChannelOptions, Transport } from "../../transport/transport.ts";
import type { Box, Place } from "./box.ts";
import { enterBox } from "./boxes.ts";
import { resolveSandbox } from "./resolve-sandbox.ts";
import type { Sandbox } from "./sandbox.ts";

/** Tells a program that it runs in a sandbox, and in which. */
const VARIABLE = "LIMPET_SANDBOX";

/** Runs programs on this machine in a sandbox. */
export function sandboxTransport(sandbox: Sandbox): Transport {
  return { open: (options) => openInSandbox(options, sandbox) };
}

async function openInSandbox(options: ChannelOptions, sandbox: Sandbox): Promise<Channel> {
  const { box, place } = await enterBox(resolveSandbox(sandbox, options.cwd));
  const env = { ...options.env, [VARIABLE]: sandbox.files, TMPDIR: box.temporary };
  try {
    const channel = await start({ ...options, env }, box, place);
    void Promise.all([channel.exited, channel.outputEnded]).then(place.leave);
    return channel;
  } catch (error) {
    place.leave();
    throw error;
  }
}

async function start(options: ChannelOptions, { fileRoots }: Box, { pty, spawn }: Place): Promise<Channel> {
  if (options.tty) return await openLocally(options, { spawn, pty, fileRoots });
  closeSync(pty.master);
  closeSync(pty.slave);
  return await openLocally(options, { spawn, fileRoots });
}
