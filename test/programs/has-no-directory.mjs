// Stands in a directory that is gone, and opens a session there.
import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession } from "../../dist/entries/session.js";

const directory = mkdtempSync(join(tmpdir(), "limpet-gone-"));
process.chdir(directory);
rmdirSync(directory);
const { name, code } = await openSession({ program: "true" }).catch((error) => error);
const elsewhere = await openSession({ program: "true", cwd: "/" });
console.log(JSON.stringify({ name, code, elsewhere: await elsewhere.ended }));
