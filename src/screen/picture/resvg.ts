/** The only file that knows the renderer. It is an optional dependency, loaded when the first picture is asked for. */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { ShellError } from "../../base/errors.ts";

export interface Rasterizing {
  readonly fonts: readonly Uint8Array[];
  /** Pixels per pixel of the document. */
  readonly scale: number;
}

type Resvg = typeof import("@resvg/resvg-wasm")["Resvg"];
let loading: Promise<Resvg> | undefined;

/** The document as PNG. */
export async function rasterize(svg: string, { fonts, scale }: Rasterizing): Promise<Uint8Array> {
  loading ??= load();
  const Renderer = await loading;
  const renderer = new Renderer(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: { fontBuffers: [...fonts], defaultFontFamily: "DejaVu Sans Mono", monospaceFamily: "DejaVu Sans Mono" },
  });
  try {
    const image = renderer.render();
    try {
      return image.asPng();
    } finally {
      image.free();
    }
  } finally {
    renderer.free();
  }
}

async function load(): Promise<Resvg> {
  try {
    const { initWasm, Resvg } = await import("@resvg/resvg-wasm");
    const file = createRequire(import.meta.url).resolve("@resvg/resvg-wasm/index_bg.wasm");
    await initWasm(await readFile(file));
    return Resvg;
  } catch (cause) {
    loading = undefined;
    throw new ShellError(
      "PICTURE_UNAVAILABLE",
      "The package @resvg/resvg-wasm, which draws pictures, cannot be loaded. Install it beside this one, or ask for SVG.",
      { cause },
    );
  }
}
