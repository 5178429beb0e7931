/** Podman with directories of its own, and one container that runs. */
import { openPodmanEngine } from "../../support/containers/podman-engine.mjs";

export async function openPodman(folder) {
  const engine = await openPodmanEngine(folder);
  try {
    engine.tool("run", "-d", "--name", "zoo", "--network", "none", "box", "/bin/sleep", "100000");
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
