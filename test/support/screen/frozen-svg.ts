/** An SVG animation at one moment, as a browser would show it: our renderer knows no animation. */

/** Moves every part to where its keyframes place it at this time, and removes the style. */
export function frozenSvg(svg: string, atMs: number): string {
  const [, seconds = "1"] = /\.m\{animation:([\d.]+)s steps\(1\)/.exec(svg) ?? [];
  const percent = atMs / (10 * Number(seconds));
  const places = new Map(
    [...svg.matchAll(/@keyframes (k\d+)\{((?:[^{}]*\{[^{}]*\})*)\}/g)].map(([, name = "", text = ""]) => [
      name,
      placeAt(text, percent),
    ]),
  );
  return restingSvg(svg)
    .replace(/<style>.*<\/style>\n/su, "")
    .replace(/<g class="m (k\d+)">/g, (_, name: string) => `<g transform="${places.get(name) ?? "gone"}">`);
}

/**
 * Without the inner picture, which only hides what lies beside the outer one: our renderer draws what is cut off apart
 * from the rest, and rounds its colours once more.
 */
export function restingSvg(svg: string): string {
  return svg.replace(/\n<svg width="\d+" height="\d+">\n/, "\n").replace(/<\/svg>\n<\/svg>\n$/, "</svg>\n");
}

/** With `steps(1)`, what the last keyframe before that time says. */
function placeAt(keyframes: string, percent: number): string {
  const steps = [...keyframes.matchAll(/([^{}]*)\{transform:([^}]*)\}/g)].flatMap(([, times = "", transform = ""]) =>
    times.split(",").map((time) => ({ time: Number.parseFloat(time), transform })),
  );
  const last = steps.toSorted((one, other) => one.time - other.time).findLast(({ time }) => time <= percent);
  return (last?.transform ?? "none").replace("none", "translate(0)").replaceAll("px", "").replace(",", " ");
}

/** All texts of a document, as they were before they were escaped. */
export function textsOf(svg: string): string[] {
  return [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text = ""]) =>
    text
      .replaceAll("&lt;", "<")
      .replaceAll("&gt;", ">")
      .replaceAll("&quot;", '"')
      .replaceAll("&#39;", "'")
      .replaceAll("&amp;", "&"),
  );
}
