/**
 * 20 typical jobs: how many are done, in how many calls and tokens. Tokens count what a model writes and reads. Calls
 * and tokens are compared with those of limpet job by job: a contender that fails at the long ones does not count as
 * cheaper.
 */
import { atThePaceOfAModel } from "../collect.mjs";
import { withLimit } from "../with-limit.mjs";
import { jobs as list } from "./job-list.mjs";

const JOB_MS = 30_000;
/** After this, the jobs that are left count as not done. */
const ALL_MS = 140_000;
const count = Object.keys(list).length;

export const jobs = {
  name: "jobs",
  rounds: 1,
  isSideBySide: true,
  metrics: {
    done: { title: `of ${count} typical jobs, done`, unit: `of ${count}`, better: "more", isExact: true },
    calls: {
      title: "calls for the jobs that it does, against limpet's for the same jobs",
      unit: "×",
      better: "less",
      relate: (sample, ours) => ratio("calls", sample, ours),
    },
    tokens: {
      title: "tokens for the jobs that it does, against limpet's for the same jobs",
      unit: "×",
      better: "less",
      relate: (sample, ours) => ratio("tokens", sample, ours),
    },
  },
  measure: doAll,
};

async function doAll({ peer, note }) {
  const each = {};
  const deadlineMs = Date.now() + ALL_MS;
  for (const [title, job] of Object.entries(list)) {
    if (Date.now() > deadlineMs) {
      note(`not tried, after ${ALL_MS / 1000} s: ${title}`);
      continue;
    }
    const before = { ...peer.mcp.usage };
    const doIt = () => withLimit(job(peer), JOB_MS, "it");
    const outcome = await atThePaceOfAModel(doIt).catch((error) => error);
    if (outcome !== true) {
      note(`not done: ${title}${outcome instanceof Error ? ` (${outcome.message.slice(0, 100)})` : ""}`);
      continue;
    }
    each[title] = {
      calls: peer.mcp.usage.calls - before.calls,
      tokens: peer.mcp.usage.tokens - before.tokens,
    };
  }
  const done = Object.keys(each).length;
  if (done === 0) throw new Error("no job was done");
  return { done, each };
}

/** The geometric mean, so that each job counts alike; undefined without a job that both have done. */
function ratio(what, { each = {} }, ours) {
  const both = Object.keys(each).filter((title) => ours?.each?.[title]);
  const logs = both.map((title) => Math.log(each[title][what] / ours.each[title][what]));
  return both.length === 0 ? undefined : Math.exp(logs.reduce((sum, log) => sum + log, 0) / both.length);
}
