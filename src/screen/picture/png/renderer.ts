/**
 * The only file that imports the renderer. It is an optional dependency, loaded for the first picture, and runs on a
 * thread of its own, because a picture takes a tenth of a second.
 */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
import { PICTURE_DEADLINE_MS, RENDERER_IDLE_MS } from "../../../base/limits.ts";
import { LimpetError } from "../../../base/limpet-error.ts";

export interface Rasterizing {
  readonly fonts: readonly Uint8Array[];
  /** Pixels per pixel of the document. */
  readonly scale: number;
}

/** Four bytes per pixel: red, green, blue, opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

type Answer = (Pixels & { readonly error?: undefined }) | { readonly error: string };

/** As text, so that it is the same from sources, compiled and bundled; the renderer's own path is passed to it. */
const THREAD = `
const { parentPort, workerData } = require("node:worker_threads");
const { initWasm, Resvg } = require(workerData.module);
const ready = initWasm(workerData.wasm);
parentPort.on("message", async ({ svg, fonts, scale }) => {
  try {
    await ready;
    const renderer = new Resvg(svg, {
      fitTo: { mode: "zoom", value: scale },
      font: { fontBuffers: fonts, defaultFontFamily: "DejaVu Sans Mono", monospaceFamily: "DejaVu Sans Mono" },
    });
    const image = renderer.render();
    const { width, height } = image;
    const rgba = image.pixels.slice();
    image.free();
    renderer.free();
    parentPort.postMessage({ width, height, rgba }, [rgba.buffer]);
  } catch (error) {
    parentPort.postMessage({ error: String(error) });
  }
});
`;

type Job = Rasterizing & { readonly svg: string };

export class Renderer {
  readonly #place: string | URL;
  #thread: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;

  /** `place`: the file from which the package is looked for. */
  constructor(place: string | URL = import.meta.url) {
    this.#place = place;
  }

  /** Draws a document. One at a time: the next waits. */
  async rasterize(svg: string, { fonts, scale }: Rasterizing): Promise<Pixels> {
    const draw = () => this.#draw({ svg, fonts, scale });
    const turn = this.#last.then(draw, draw);
    this.#last = turn;
    return await turn;
  }

  async #draw(job: Job): Promise<Pixels> {
    clearTimeout(this.#idle);
    this.#thread ??= this.#start();
    const worker = await this.#thread;
    worker.ref();
    try {
      return await ask(worker, job);
    } catch (error) {
      this.#thread = undefined;
      await worker.terminate();
      throw error;
    } finally {
      worker.unref();
      this.#idle = setTimeout(() => this.#endThread(worker), RENDERER_IDLE_MS).unref();
    }
  }

  /** A thread that fails between two pictures has no caller to report to: the next picture gets a new one. */
  #start(): Promise<Worker> {
    const thread = startThread(this.#place);
    const forget = () => {
      if (this.#thread === thread) this.#thread = undefined;
    };
    thread.then((worker) => worker.on("error", forget).on("exit", forget), forget);
    return thread;
  }

  /** A thread with a renderer takes too much memory to keep it while nobody asks for pictures. */
  #endThread(worker: Worker): void {
    this.#thread = undefined;
    void worker.terminate();
  }
}

/** One for all pictures of this process. */
export const renderer: Renderer = new Renderer();

async function ask(worker: Worker, job: Job): Promise<Pixels> {
  const answer = await new Promise<Answer>((resolve, reject) => {
    const settle = (given: Answer | Error): void => {
      clearTimeout(timer);
      // One by one, because Node's own listeners must stay: without them, the thread sends nothing.
      worker.off("message", settle).off("error", settle).off("exit", onExit);
      if (given instanceof Error) reject(unavailable(given));
      else resolve(given);
    };
    const onExit = (code: number): void => settle({ error: `its thread ended with ${code}` });
    const timer = setTimeout(() => settle({ error: `it took over ${PICTURE_DEADLINE_MS} ms` }), PICTURE_DEADLINE_MS);
    worker.on("message", settle).on("error", settle).on("exit", onExit);
    worker.postMessage(job);
  });
  if (answer.error === undefined) return answer;
  throw new LimpetError(
    "PICTURE_UNAVAILABLE",
    `The picture could not be drawn: ${answer.error}. Ask for a smaller scale, for SVG, or for text.`,
  );
}

async function startThread(place: string | URL): Promise<Worker> {
  try {
    const { resolve } = createRequire(place);
    const wasm = await readFile(resolve("@resvg/resvg-wasm/index_bg.wasm"));
    // No environment and no arguments: ours may change how Node reads its text, as --input-type=module does.
    return new Worker(THREAD, {
      eval: true,
      env: {},
      execArgv: [],
      workerData: { module: resolve("@resvg/resvg-wasm"), wasm },
    });
  } catch (cause) {
    throw unavailable(cause);
  }
}

function unavailable(cause: unknown): LimpetError {
  return new LimpetError(
    "PICTURE_UNAVAILABLE",
    "The package @resvg/resvg-wasm, which draws pictures, cannot be loaded. Install it, or ask for SVG.",
    { cause },
  );
}
