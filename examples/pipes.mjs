/** Without a terminal: stdin can be ended, stdout and stderr are told apart. For filters and for clean output. */
import { openSession } from "limpet/session";

// A filter gives its answer when its input ends, which a terminal's never does.
const sort = await openSession({ program: "sort", tty: false });
await sort.write("pear\napple\nfig\n");
await sort.endInput();
await sort.ended;
console.log((await sort.readText()).text.trimEnd());
await sort.close();

// One journal holds both streams in the order in which they came; `origins` says which part is whose.
const both = await openSession({ command: "echo result; echo warning >&2; exit 3", shell: "/bin/sh", tty: false });
await both.ended;
const { bytes } = await both.read();
for (const { from, to, origin } of both.origins(0, both.endCursor)) {
  console.log(`${origin}: ${JSON.stringify(Buffer.from(bytes.subarray(from, to)).toString())}`);
}
// A non-zero exit is a result, not an error.
console.log(both.exit);
await both.close();
