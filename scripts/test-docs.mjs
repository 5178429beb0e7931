/**
 * Checks the documents: every ts block compiles, every ts and js block runs under each supported Node, every sh block
 * runs in an empty home (unless marked `no-run`), every console block marked `run` runs, every call in a `calls` block
 * gets the answer that it states, relative links and their anchors exist, docs/api.md matches the declarations, measured
 * numbers match bench/results, the site builds, and every example exits with 0. The blocks run inside the project, where
 * "limpet" resolves to this package. `npm run test:docs -- docs/cli.md` runs only the blocks of a page.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { programsPage } from "../test/zoo/report.mjs";
import { table } from "../test/zoo/table.mjs";
import { buildSite } from "./docs/build-site.mjs";
import { callsProblem, parseCalls } from "./docs/calls.mjs";
import { compileBlocks } from "./docs/compile-blocks.mjs";
import { filledPages, looseNumbers, RESULTS_PAGE, resultsOfPeers } from "./docs/numbers.mjs";
import { searchResults } from "./docs/search-questions.mjs";
import { beforeOf, closeStage, flagsProblem, openStage, shellProblem } from "./docs/shell-blocks.mjs";
import { anchors, codeBlocks, links } from "./markdown.mjs";
import { build, Counts, report, root, run } from "./run.mjs";
import { fetchNode, OTHER_NODES } from "./tests/fetch-node.mjs";
import { endWatch, startWatch, watchedEnv } from "./tests/leftovers.mjs";
import { envAtHome } from "./tests/own-home.mjs";
import { apiProblem } from "./write-api.mjs";

const limitMs = 60_000;
const folder = join(root, ".cache", "docs");
const kinds = {
  ts: "ts",
  typescript: "ts",
  js: "js",
  javascript: "js",
  sh: "sh",
  bash: "sh",
  console: "console",
  calls: "calls",
};
/** Its commands need other machines. test/acceptance/places runs such commands. */
const NEEDS_PLACES = "docs/places.md";
const flagsOf = { ts: ["no-run"], js: ["no-run"], sh: ["no-run"], console: ["run"], calls: ["no-run"] };

const counts = new Counts();
const watch = startWatch();
const built = await build();
if (built.ok) {
  const asked = process.argv.slice(2);
  const pages = readPages().filter(({ path }) => asked.length === 0 || asked.includes(path));
  for (const page of pages) checkLinks(page);
  checkApi();
  checkNumbers();
  await checkSite();
  await checkBlocks(pages.flatMap(readBlocks), await findNodes());
  for (const page of pages) await checkShell(readBlocks(page).filter(({ kind }) => kind === "sh"));
  if (asked.length === 0) await runExamples();
} else {
  fail("the build", built.how);
}
counts.fail(...(await endWatch(watch)));
report(counts);

function readPages() {
  return [".", "docs"]
    .flatMap((name) => files(name).filter((path) => path.endsWith(".md")))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

function checkLinks(page) {
  const dead = links(page.text).flatMap(({ line, target }) => {
    const problem = /^([a-z][a-z+.-]*:|\/\/)/i.test(target) ? undefined : linkProblem(page.path, target);
    return problem === undefined ? [] : [`line ${line}: ${target}: ${problem}`];
  });
  if (dead.length === 0) pass(`links of ${page.path}`);
  else fail(`links of ${page.path}`, dead.join("\n  "));
}

function checkApi() {
  const problem = apiProblem(join(root, "dist"));
  if (problem === undefined) pass("docs/api.md is current");
  else fail("docs/api.md", problem);
}

function checkNumbers() {
  const stale = filledPages().filter(({ text, filled }) => text !== filled);
  if (stale.length === 0) pass("measured numbers are current");
  else fail("measured numbers", `run npm run numbers: ${stale.map(({ path }) => path).join(", ")}`);
  const loose = filledPages().flatMap(({ path, text }) => looseNumbers(text).map((each) => `${path}: ${each}`));
  if (loose.length === 0) pass("every number of a benchmark comes from its results");
  else fail("numbers without results", `mark them as CONTRIBUTING.md says:\n  ${loose.join("\n  ")}`);
  if (resultsOfPeers() === readFileSync(RESULTS_PAGE, "utf8")) pass("bench/RESULTS.md is what its figures say");
  else fail("bench/RESULTS.md", "differs from bench/results/peers.json. Run npm run numbers.");
  const zoo = JSON.parse(readFileSync(join(root, "bench/results/zoo.json"), "utf8"));
  if (programsPage({ ...zoo, entries: table }) === readFileSync(join(root, "docs/programs.md"), "utf8"))
    pass("docs/programs.md is what the last run found");
  else fail("docs/programs.md", "differs from bench/results/zoo.json. Run npm run test:zoo.");
}

async function checkSite() {
  const { pages, dead } = buildSite(join(watch.tmp, "site"));
  const index = readFileSync(join(watch.tmp, "site/search-index.js"), "utf8").replace("window.searchIndex=", "");
  rmSync(join(watch.tmp, "site"), { recursive: true });
  for (const { name, problem } of searchResults(JSON.parse(index)))
    if (problem === undefined) pass(name);
    else fail(name, problem);
  if (dead.length === 0) pass(`a site of ${pages} pages`);
  else fail("the site", dead.join("\n  "));
}

function linkProblem(from, target) {
  const [path, anchor] = target.split("#").map(decodeURIComponent);
  const file = path === "" ? join(root, from) : join(root, dirname(from), path);
  if (relative(root, file).startsWith("..")) return "leads out of the project";
  if (!existsSync(file)) return "no such file";
  if (!anchor || !file.endsWith(".md")) return undefined;
  return anchors(readFileSync(file, "utf8")).includes(anchor) ? undefined : "no such heading";
}

function readBlocks({ path, text }) {
  return codeBlocks(text).flatMap((block) => {
    const kind = kinds[block.language];
    if (kind === undefined) return [];
    const name = `${path}:${block.line}`;
    const strange = block.flags.filter((flag) => !flagsOf[kind].includes(flag));
    if (strange.length > 0) fail(name, `unknown word after the language: ${strange.join(" ")}`);
    const isRun = kind === "console" ? block.flags.includes("run") : !block.flags.includes("no-run");
    const file = `${path.replace(/[^a-z0-9]+/gi, "-")}-${block.line}`;
    // Leading blank lines give each line the number that it has in the document.
    const padded = "\n".repeat(block.line - 1) + block.code;
    return [{ name, path, kind, isRun, file, code: block.code, before: beforeOf(text, block.line), padded }];
  });
}

/** The Node that runs this, and the others that limpet supports, each with a home of its own. */
async function findNodes() {
  const found = [{ node: process.execPath, env: watchedEnv(watch), label: "" }];
  for (const version of OTHER_NODES) {
    const node = await fetchNode(version);
    const env = envAtHome(watchedEnv(watch), join(watch.dir, `home-${version}`));
    if (node === undefined) fail(`Node ${version}`, "could not be fetched");
    else found.push({ node, env, label: ` under Node ${version}` });
  }
  return found;
}

async function checkShell(blocks) {
  const folder = join(watch.tmp, "shell");
  for (const block of blocks) {
    const isRun = block.isRun && block.path !== NEEDS_PLACES;
    const stage = openStage(folder, watchedEnv(watch));
    const problem = await (isRun ? shellProblem(block, stage) : flagsProblem(block, stage));
    if (problem === undefined) pass(`${block.name}${isRun ? "" : " (flags)"}`);
    else fail(block.name, problem);
    if (isRun) await closeStage(stage);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function checkBlocks(blocks, nodes) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { faults, failure } = await compileBlocks(
    blocks.filter(({ kind }) => kind === "ts"),
    folder,
  );
  if (failure !== undefined) fail("type-check", failure);
  for (const block of blocks) {
    const fault = faults.get(block.file);
    if (fault !== undefined) fail(block.name, fault);
    else if (block.kind === "calls") await checkCalls(block);
    else if (block.kind === "console" && block.isRun) await check(block.name, commandFor(block));
    else if (block.kind !== "sh" && block.isRun)
      await Promise.all(
        nodes.map(({ node, env, label }) => check(`${block.name}${label}`, commandFor(block, node), env)),
      );
    else if (block.kind === "ts") pass(block.name);
  }
}

async function checkCalls({ name, code, isRun }) {
  const cwd = join(watch.tmp, "calls");
  mkdirSync(cwd, { recursive: true });
  const command = [process.execPath, join(root, "dist/bin/main.js"), "mcp", "--in-process"];
  const env = watchedEnv(watch, { LIMPET_HOME: join(cwd, ".state") });
  const problem = await callsProblem(parseCalls(code), { command, env, cwd, isRun }).catch(({ message }) => message);
  rmSync(cwd, { recursive: true, force: true, maxRetries: 5 });
  if (problem === undefined) pass(name);
  else fail(name, problem);
}

function commandFor({ kind, file, code, padded }, node) {
  if (kind === "console") return ["bash", "-euo", "pipefail", "-c", typedLines(code)];
  const script = join(folder, kind === "ts" ? join("out", `${file}.mjs`) : `${file}.mjs`);
  if (kind === "js") writeFileSync(script, padded);
  return [node, "--enable-source-maps", script];
}

/** The lines of a transcript that the person typed. */
function typedLines(code) {
  const typed = code.split("\n").filter((line) => line.startsWith("$ "));
  return typed.map((line) => line.slice(2)).join("\n");
}

async function runExamples() {
  for (const path of files("examples")) {
    if (path.endsWith(".mjs")) await check(path, [process.execPath, path]);
    else if (/\.([cm]?ts|c?js|sh)$/.test(path)) fail(path, "only .mjs examples are run: write it as one");
  }
  // One of the examples starts the host of its user, which would keep running.
  await run("host stop", [process.execPath, join(root, "dist/bin/main.js"), "host", "stop"], {
    env: watchedEnv(watch),
    capture: true,
  });
}

async function check(name, command, env = watchedEnv(watch)) {
  const result = await run(name, command, { env, limitMs, capture: true });
  if (result.ok) pass(name);
  else fail(name, `${result.how}\n${result.output}`);
}

function pass(name) {
  counts.pass();
  console.log(`ok ${name}`);
}

function fail(name, why) {
  counts.fail(name);
  console.error(`FAILED: ${name}: ${why}`);
}

function files(name) {
  if (!existsSync(join(root, name))) return [];
  const paths = readdirSync(join(root, name)).map((entry) => join(name, entry));
  return paths.filter((path) => statSync(join(root, path)).isFile()).sort();
}
