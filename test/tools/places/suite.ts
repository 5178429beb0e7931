/** The tests of tools, waiting, shell and screen that can run at any place. */
import "../keys.test.ts";
import "../pages.test.ts";
import "../shells/foreground.test.ts";
import "../shells/shells.test.ts";
import "../typing.test.ts";
import "../waiting.test.ts";
