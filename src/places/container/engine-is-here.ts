/** Whether an engine runs its containers on this machine, according to its command line tool. */
import type { ContainerEngine } from "../../transport/container/container.ts";
import { runTool } from "../../transport/container/run-tool.ts";

/** An engine behind a Unix socket may still run in a virtual machine. `isOwnKernel` detects that. */
export async function engineIsHere(engine: ContainerEngine): Promise<boolean> {
  if (engine === "podman") {
    const { stdout } = await runTool(["podman", "info", "--format", "{{.Host.ServiceIsRemote}}"]);
    return stdout.trim() === "false";
  }
  const { stdout } = await runTool(["docker", "context", "inspect", "--format", "{{.Endpoints.docker.Host}}"]);
  return stdout.trim().startsWith("unix://");
}
