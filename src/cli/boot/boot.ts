#!/usr/bin/env node
/**
 * The program `limpet`: loads the command line with the code that an earlier start has compiled. Only processes that
 * run for a while write that code: servers and hosts, whose start others wait for.
 */
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CodeCache } from "./code-cache.ts";
import { useCompiled } from "./use-compiled.ts";

/** By then the first calls have been answered, and their functions are worth keeping. */
const KEEP_AFTER_MS = 2_000;

const here = fileURLToPath(import.meta.url);
// Not configurable by a variable: only this folder is hidden from programs in a sandbox.
const cache = new CodeCache(join(homedir(), ".cache", "limpet", "code"));
const compiled = useCompiled(dirname(here), cache);

setTimeout(() => {
  if (compiled.missing.length === 0) return;
  compiled.keep();
  cache.removeOld(Date.now());
}, KEEP_AFTER_MS).unref();

createRequire(here)("./limpet.js");
