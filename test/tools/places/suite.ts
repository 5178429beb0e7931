/** The tests of tools, waiting, shell and screen that can run at any place. */
import "../../e2e/editor-tools.test.ts";
import "../../e2e/screen-tools.test.ts";
import "../callers.test.ts";
import "../events.test.ts";
import "../forgiving.test.ts";
import "../hand-over.test.ts";
import "../hidden-output.test.ts";
import "../idle-shells.test.ts";
import "../keys.test.ts";
import "../listing.test.ts";
import "../pages.test.ts";
import "../results.test.ts";
import "../reuse.test.ts";
import "../shells/foreground.test.ts";
import "../shells/shells.test.ts";
import "../typing.test.ts";
import "../waiting.test.ts";
