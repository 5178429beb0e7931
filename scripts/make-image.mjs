/**
 * `npm run image [-- OPTIONS]`: builds the container image `limpet` with docker, or with podman if there is no docker.
 * The options are those of `docker build`, such as `--build-arg BASE=node:22-bookworm-slim` or `-t NAME`.
 */
import { join } from "node:path";
import { writeImageContext } from "./image-context.mjs";
import { build, root, run } from "./run.mjs";

const asked = process.argv.slice(2);
const options = asked.includes("-t") || asked.includes("--tag") ? asked : ["-t", "limpet", ...asked];

process.exitCode = (await made()) ? 0 : 1;

async function made() {
  if (!(await build()).ok) return false;
  const context = writeImageContext(join(root, ".cache/image"));
  for (const engine of ["docker", "podman"]) {
    if (!(await run(engine, [engine, "info"], { capture: true })).ok) continue;
    return (await run(`${engine} build`, [engine, "build", ...options, context])).ok;
  }
  console.error(`Neither docker nor podman answers. Build the image elsewhere from ${context}.`);
  return false;
}
