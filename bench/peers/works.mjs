/** All kinds of work, in the order of the tables. */
import { echo } from "./work/echo.mjs";
import { endless } from "./work/endless.mjs";
import { flood } from "./work/flood.mjs";
import { hidden } from "./work/hidden.mjs";
import { jobs } from "./work/jobs.mjs";
import { nextClient } from "./work/next-client.mjs";
import { noise } from "./work/noise.mjs";
import { password } from "./work/password.mjs";
import { relay } from "./work/relay.mjs";
import { repl } from "./work/repl.mjs";
import { short } from "./work/short.mjs";
import { silence } from "./work/silence.mjs";
import { start } from "./work/start.mjs";
import { survivors } from "./work/survivors.mjs";
import { syntax } from "./work/syntax.mjs";

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
