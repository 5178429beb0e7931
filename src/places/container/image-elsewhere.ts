/**
 * Lets a host run its programs in containers of an image: a new container for each session, or one for all. The
 * container of a session is removed when nothing of the session runs any more, and each one when the host ends. If a
 * host was killed, the next one finds its containers by their label and removes them.
 */
import { randomBytes } from "node:crypto";
import { lazy } from "../../base/async/lazy.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SandboxRequest } from "../../base/sandbox-request.ts";
import type { EnforcedLimits, SessionLimits } from "../../base/session-limits.ts";
import type { FileAccess } from "../../host/files/file-access.ts";
import type { HostElsewhere } from "../../host/host-elsewhere.ts";
import { type Container, type ContainerEngine, execArgv } from "../../transport/container/container.ts";
import { type ContainerTransportOptions, containerTransport } from "../../transport/container/container-transport.ts";
import { runTool } from "../../transport/container/run-tool.ts";
import type { Transport } from "../../transport/transport.ts";
import { ASK_SHELL, shellOr } from "./ask-shell.ts";
import type { ContainerSpec } from "./container-spec.ts";
import { imageWords, keptLimits, LABEL, requireImage } from "./image-words.ts";
import { ASK_KERNEL, isOwnKernel } from "./own-kernel.ts";

type ImageSpec = Extract<ContainerSpec, { readonly image: string }>;

interface Made {
  readonly name: string;
  readonly kept: EnforcedLimits;
}

/** Long, because an engine may have to pull the image. */
const MAKE_MS = 600_000;
const MAX_SHOWN = 300;

export async function imageElsewhere(
  spec: ImageSpec,
  { isHere, label }: { readonly isHere: boolean; readonly label: string },
): Promise<HostElsewhere> {
  const { engine, image, workspace } = spec;
  requireImage(image);
  await removeLabelled(engine, label);
  const shared = new Map<string, Promise<Made>>();
  const make = async (sandbox: SandboxRequest | undefined, limits?: SessionLimits) => {
    const name = `limpet-${randomBytes(8).toString("hex")}`;
    const words = imageWords({ ...spec, name, label, sandbox, limits, user: ownUser(engine) });
    const { code, stderr } = await runTool(words, MAKE_MS);
    if (code === 0) return { name, kept: keptLimits(limits, stderr) };
    await remove(engine, [name]);
    const said = stderr.replace(/\s+/g, " ").trim().slice(-MAX_SHOWN);
    throw new LimpetError(
      "PLACE_UNREACHABLE",
      `${engine} could not start a container of ${image} (${said}). Check the image and the engine.`,
    );
  };
  let isVisible: Promise<boolean> | undefined;
  const transportTo = async (name: string, more: Partial<ContainerTransportOptions> = {}) => {
    // Checked once, because all containers of an image have the same kernel.
    isVisible ??= isHere ? askKernel({ engine, name }) : Promise.resolve(false);
    return containerTransport({ container: { engine, name }, isHere: await isVisible, ...more });
  };
  const openFresh = (sandbox: SandboxRequest | undefined): Transport => ({
    open: async (given) => {
      const { name, kept } = await make(sandbox, given.limits);
      const away = { words: [engine, "rm", "-f", name], now: () => remove(engine, [name]) };
      try {
        return await (await transportTo(name, { kept, remove: away })).open(given);
      } catch (error) {
        await away.now();
        throw error;
      }
    },
  });
  const openShared = (sandbox: SandboxRequest | undefined): Transport => ({
    open: async (given) => {
      const key = JSON.stringify(sandbox ?? null);
      const making = shared.get(key) ?? make(sandbox);
      shared.set(key, making);
      // If the container could not be created or has ended, the next session creates another one.
      try {
        const { name } = await making;
        return await (await transportTo(name)).open(given);
      } catch (error) {
        if (error instanceof LimpetError && error.code === "PLACE_UNREACHABLE") shared.delete(key);
        throw error;
      }
    },
  });
  return {
    name: `image:${image}`,
    home: workspace,
    shell: "/bin/sh",
    keptShell: lazy(async () => {
      const words = [engine, "run", "--rm", "--network", "none", "--entrypoint", "/bin/sh", image, "-c", ASK_SHELL];
      return shellOr((await runTool(words, MAKE_MS)).stdout.split("\n")[0]);
    }),
    transportFor: spec.reuse ? openShared : openFresh,
    files: onlyWorkspace(image, workspace),
    close: () => removeLabelled(engine, label),
  };
}

async function askKernel(container: Container): Promise<boolean> {
  const { code, stdout } = await runTool(execArgv(container, ["/bin/sh", "-c", ASK_KERNEL]));
  return isOwnKernel(code === 0 ? stdout : undefined);
}

/** Refuses to copy files: the containers are temporary, so a copy would be lost with the container. */
function onlyWorkspace(image: string, workspace: string): FileAccess {
  const refuse = () => {
    throw new LimpetError(
      "FILE_FAILED",
      `image:${image} keeps no files of its own. Use its workspace on this machine: ${workspace}.`,
    );
  };
  return { receive: async () => refuse(), send: refuse };
}

/**
 * The user for docker, so that files in the workspace do not belong to root. A rootless engine maps root to the user
 * who runs it.
 */
function ownUser(engine: ContainerEngine): string | undefined {
  const [uid = 0, gid = 0] = [process.getuid?.(), process.getgid?.()];
  return engine === "docker" && uid !== 0 ? `${uid}:${gid}` : undefined;
}

async function removeLabelled(engine: ContainerEngine, label: string): Promise<void> {
  const { stdout } = await runTool([engine, "ps", "-aq", "--filter", `label=${LABEL}=${label}`]);
  await remove(engine, stdout.split(/\s+/).filter(Boolean));
}

async function remove(engine: ContainerEngine, names: readonly string[]): Promise<void> {
  if (names.length > 0) await runTool([engine, "rm", "-f", ...names]);
}
