/** A Docker engine of its own, with one container that runs. */
import { openDockerEngine } from "../../support/containers/docker-engine.mjs";

export async function openDocker(folder) {
  const engine = await openDockerEngine(folder);
  try {
    engine.tool("run", "-d", "--name", "zoo", "--network", "none", "box", "/bin/sleep", "100000");
    return engine;
  } catch (error) {
    await engine.close();
    throw error;
  }
}
