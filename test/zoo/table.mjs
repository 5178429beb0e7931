/**
 * The zoo: every program with the states that it goes through, as plain data.
 *
 * | field            | meaning                                                                                    |
 * |------------------|--------------------------------------------------------------------------------------------|
 * | `needs`          | commands that must exist, each with its Debian package                                     |
 * | `npm`            | packages of npm that must be installed beside it                                           |
 * | `with`           | what it runs in or talks to, from `places/`; its variables are in the environment          |
 * | `run`            | a program and its arguments, or one line for bash; `$ZOO` is the folder `programs/`         |
 * | `screen`         | compare with the screen instead of the text since the last input                           |
 * | `answersQueries` | answer what the program asks its terminal                                                  |
 * | `steps`          | what is typed, what must be shown when the wait ends, and what the program then waits for   |
 * |                  | (`afterMs`: how long the step waits before it types)                                        |
 * | `why`            | what nobody can know about it, for the report                                              |
 */
import { agents } from "./table/agents.mjs";
import { calculators } from "./table/calculators.mjs";
import { consoles } from "./table/consoles.mjs";
import { far } from "./table/far.mjs";
import { fullScreen } from "./table/full-screen.mjs";
import { monitors } from "./table/monitors.mjs";
import { nasty } from "./table/nasty.mjs";
import { promptLibraries } from "./table/prompt-libraries.mjs";
import { prompts } from "./table/prompts.mjs";
import { relays } from "./table/relays.mjs";
import { repls } from "./table/repls.mjs";
import { watchers } from "./table/watchers.mjs";

const KINDS = {
  repl: [...repls, ...calculators],
  console: consoles,
  prompt: [...prompts, ...promptLibraries],
  "full-screen": [...fullScreen, ...monitors],
  watcher: watchers,
  relay: [...relays, ...far],
  agent: agents,
  nasty,
};

export const table = Object.entries(KINDS).flatMap(([kind, entries]) => entries.map((entry) => ({ kind, ...entry })));
