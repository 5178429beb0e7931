/** Whether the containers of an engine run on the kernel of this machine, as far as its command line tool knows. */
import type { ContainerEngine } from "../../transport/container/container.ts";
import { runTool } from "../../transport/container/run-tool.ts";

/** The engine behind a Unix socket may still run in a virtual machine: then its programs are not found, and hidden. */
export async function engineIsHere(engine: ContainerEngine): Promise<boolean> {
  if (engine === "podman") {
    const { stdout } = await runTool(["podman", "info", "--format", "{{.Host.ServiceIsRemote}}"]);
    return stdout.trim() === "false";
  }
  const { stdout } = await runTool(["docker", "context", "inspect", "--format", "{{.Endpoints.docker.Host}}"]);
  return stdout.trim().startsWith("unix://");
}
