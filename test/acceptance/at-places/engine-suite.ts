/** The tests of screens, waiting and shells that can run in a container through its engine. */
import "../screen/programs.test.ts";
import "../wait/full-screen.test.ts";
import "../wait/not-waiting.test.ts";
import "../wait/programs.test.ts";
import "../wait/status.test.ts";
import "./shell-suite.ts";
