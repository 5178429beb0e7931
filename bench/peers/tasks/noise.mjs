/** Recorded output of noisy programs: what a model reads of it, and whether what matters is still there. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const corpus = new URL("../../../test/corpus/", import.meta.url);
const recordings = JSON.parse(readFileSync(new URL("corpus.json", corpus), "utf8"));

export const noise = {
  name: "noise",
  rounds: 1,
  isSideBySide: true,
  metrics: {
    tokens: { title: "tokens of the noisy corpus", unit: "tokens", better: "less", isExact: true },
    kept: {
      title: `of ${recordings.length} noisy outputs, those whose important line is given`,
      unit: `of ${recordings.length}`,
      better: "more",
      isExact: true,
    },
  },
  async measure({ peer }) {
    const before = peer.mcp.usage.tokens;
    let kept = 0;
    for (const { name, matters } of recordings) {
      const file = fileURLToPath(new URL(`${name}.raw`, corpus));
      const { text } = await peer.run(`cat ${file}`, { limitMs: 15_000 });
      if (text.includes(matters)) kept += 1;
    }
    return { tokens: peer.mcp.usage.tokens - before, kept };
  },
};
