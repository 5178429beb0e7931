/** Lets a host on this machine run its programs in a container that has no host of its own. */
import { LimpetError } from "../../base/limpet-error.ts";
import type { HostElsewhere } from "../../host/host-elsewhere.ts";
import { execArgv, requireContainer } from "../../transport/container/container.ts";
import { containerTransport } from "../../transport/container/container-transport.ts";
import { runTool } from "../../transport/container/run-tool.ts";
import { ASK_SHELL, shellOr } from "./ask-shell.ts";
import { containerFiles } from "./container-files.ts";
import type { ContainerSpec } from "./container-spec.ts";
import { directoryCheck } from "./directory-check.ts";
import { engineIsHere } from "./engine-is-here.ts";
import { imageElsewhere } from "./image-elsewhere.ts";
import { ASK_KERNEL, isOwnKernel } from "./own-kernel.ts";

/** `label`: marks the containers that this host creates. */
export async function containerElsewhere(spec: ContainerSpec, label: string): Promise<HostElsewhere> {
  const engineHere = await engineIsHere(spec.engine);
  if ("image" in spec) return await imageElsewhere(spec, { isHere: engineHere, label });
  const container = { engine: spec.engine, name: requireContainer(spec.name) };
  const name = `${spec.engine}:${spec.name}`;
  const script = `echo "$HOME"; ${ASK_KERNEL}; ${ASK_SHELL}`;
  const { code, stdout } = await runTool(execArgv(container, ["/bin/sh", "-c", script]));
  const [home = "", boot, keptShell] = code === 0 ? stdout.split("\n") : [];
  const isHere = engineHere && isOwnKernel(boot);
  return {
    name,
    home: home.startsWith("/") ? home : "/",
    shell: "/bin/sh",
    keptShell: async () => shellOr(keptShell),
    transportFor: (sandbox) => {
      if (sandbox) {
        throw new LimpetError(
          "SANDBOX_UNAVAILABLE",
          `${name} runs already and has no Node, so limpet cannot keep its programs in a sandbox. Use an image place, install Node there, or start the session without a sandbox.`,
        );
      }
      return containerTransport({ container, isHere });
    },
    requireDirectory: directoryCheck(container),
    files: containerFiles(container),
    close: async () => undefined,
  };
}
