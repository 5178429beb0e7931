/** 20 typical jobs: how many are done, in how many calls and tokens. Tokens count what a model writes and reads. */
import { withLimit } from "../with-limit.mjs";
import { jobs as list } from "./job-list.mjs";

const LIMIT_MS = 12_000;
const count = Object.keys(list).length;

export const jobs = {
  name: "jobs",
  rounds: 1,
  metrics: {
    done: { title: `of ${count} typical jobs, done`, unit: `of ${count}`, better: "more", isExact: true },
    callsEach: { title: "calls for each job that is done", unit: "calls", better: "less" },
    tokensEach: { title: "tokens for each job that is done", unit: "tokens", better: "less" },
  },
  async measure({ peer, note, getTools, tokensOf }) {
    let [done, calls, tokens] = [0, 0, 0];
    for (const [title, job] of Object.entries(list)) {
      const before = { ...peer.mcp.usage };
      const isDone = await withLimit(job(peer), LIMIT_MS, title).catch(() => false);
      if (!isDone) {
        note(`not done: ${title}`);
        continue;
      }
      done += 1;
      calls += peer.mcp.usage.calls - before.calls;
      tokens += peer.mcp.usage.tokens - before.tokens;
    }
    if (done === 0) throw new Error("no job was done");
    note(`tools/list: ${tokensOf(getTools())} tokens`);
    return { done, callsEach: calls / done, tokensEach: tokens / done };
  },
};
