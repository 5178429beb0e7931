/** Which images the container engines of this machine have. The engines are asked only if a door needs an image. */
import { withTimeout } from "../../base/async/with-timeout.ts";
import { BoundedMap } from "../../base/bounded-map.ts";
import { runTool } from "../../transport/container/run-tool.ts";

interface Known {
  readonly has: Promise<boolean>;
  readonly askedMs: number;
}

/** Images are pulled and removed, so an answer is not used for longer. */
const KNOWN_MS = 60_000;
const MAX_KNOWN = 256;
/** A bid must not be late. While an engine takes longer than this, the bid says that the image is missing. */
const ENGINE_MS = 500;
const ENGINES = ["docker", "podman"] as const;

export class LocalImages {
  readonly #known = new BoundedMap<string, Known>(MAX_KNOWN);

  async has(image: string): Promise<boolean> {
    let known = this.#known.get(image);
    if (!known || performance.now() - known.askedMs >= KNOWN_MS) {
      known = { has: askEngines(image), askedMs: performance.now() };
      this.#known.set(image, known);
    }
    return (await withTimeout(ENGINE_MS, known.has)) === true;
  }
}

async function askEngines(image: string): Promise<boolean> {
  const answers = await Promise.all(ENGINES.map((engine) => runTool([engine, "image", "inspect", image])));
  return answers.some(({ code }) => code === 0);
}
