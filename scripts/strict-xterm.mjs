/**
 * A plugin for rolldown that makes xterm.js work under a policy that forbids inline styles. xterm.js itself creates
 * `style` elements and sets `style` attributes as text, which such a policy forbids. Fails if xterm.js is not as
 * expected.
 */
import { join } from "node:path";
import { root } from "./run.mjs";

const STAND_IN = join(root, "src/web/page/terminal/adopted-style.ts");

/** What is replaced, how often it occurs, and with what. */
const CHANGES = [
  { from: /[\w.]+\.createElement\("style"\)/g, times: 3, to: "adoptedStyle()" },
  {
    from: /(\w+)\.setAttribute\("style",`\$\{\1\.getAttribute\("style"\)\|\|""\}\$\{(\w+)\};`\)/g,
    times: 1,
    to: '$1.style.cssText+=$2+";"',
  },
];

export function strictXterm() {
  return {
    name: "strict-xterm",
    transform(code, id) {
      if (!/@xterm\/xterm\/lib\/xterm\.mjs$/.test(id)) return null;
      let strict = code;
      for (const { from, times, to } of CHANGES) {
        const found = strict.match(from)?.length ?? 0;
        if (found !== times) throw new Error(`xterm.js has ${found} of ${from}, not ${times}: look at what changed.`);
        strict = strict.replace(from, to);
      }
      return `import { adoptedStyle } from ${JSON.stringify(STAND_IN)};\n${strict}`;
    },
  };
}
