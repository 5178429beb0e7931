/** All kinds of work, in the order of the tables. */
import { echo } from "./tasks/echo.mjs";
import { endless } from "./tasks/endless.mjs";
import { flood } from "./tasks/flood.mjs";
import { hidden } from "./tasks/hidden.mjs";
import { jobs } from "./tasks/jobs.mjs";
import { nextClient } from "./tasks/next-client.mjs";
import { noise } from "./tasks/noise.mjs";
import { password } from "./tasks/password.mjs";
import { relay } from "./tasks/relay.mjs";
import { repl } from "./tasks/repl.mjs";
import { short } from "./tasks/short.mjs";
import { silence } from "./tasks/silence.mjs";
import { start } from "./tasks/start.mjs";
import { survivors } from "./tasks/survivors.mjs";
import { syntax } from "./tasks/syntax.mjs";

export const works = [
  start,
  echo,
  repl,
  flood,
  endless,
  short,
  silence,
  password,
  relay,
  syntax,
  hidden,
  survivors,
  nextClient,
  jobs,
  noise,
];
