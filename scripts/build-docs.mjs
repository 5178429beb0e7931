/** `npm run docs [DIRECTORY]`: builds the documents as a static site. Without a directory, in .cache/site. */
import { join, resolve } from "node:path";
import { buildSite } from "./docs/build-site.mjs";
import { root } from "./run.mjs";

const directory = resolve(process.argv[2] ?? join(root, ".cache/site"));
const { pages, dead } = buildSite(directory);
for (const line of dead) console.error(`dead link: ${line}`);
console.log(`${pages} pages in ${directory}: open index.html, or serve the directory`);
process.exitCode = dead.length > 0 ? 1 : 0;
