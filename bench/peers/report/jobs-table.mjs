/** Pure: the typical jobs one by one, with the calls and tokens of everyone. */
import { grid } from "./grid.mjs";

/** Empty without such a work in this run. */
export function jobsTable({ contenders, works }) {
  const results = works.jobs;
  if (results === undefined) return [];
  const shown = contenders.filter(({ name }) => results[name]?.samples.length > 0);
  const eachOf = ({ name }) => results[name].samples[0].each ?? {};
  const titles = new Set(shown.flatMap((contender) => Object.keys(eachOf(contender))));
  const cell = (contender, title) => {
    const done = eachOf(contender)[title];
    return done === undefined ? "–" : `${done.calls} / ${done.tokens.toLocaleString("en-US")}`;
  };
  const rows = [...titles].map((title) => [title, ...shown.map((contender) => cell(contender, title))]);
  return [
    "### The jobs one by one",
    "",
    "Calls / tokens of each job; – is not done.",
    "",
    ...grid(["job", ...shown.map(({ title }) => title)], rows),
    "",
  ];
}
