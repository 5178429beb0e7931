/** Lets Node load files with the code that an earlier start has compiled. */
import Module, { createRequire } from "node:module";
import { dirname } from "node:path";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";

/** What Node calls for each file that `require` loads, with its text. */
interface Compiling {
  readonly exports: object;
  _compile(this: Compiling, text: string, path: string, ...rest: readonly unknown[]): unknown;
}

type Wrapper = (...given: readonly [object, NodeJS.Require, Compiling, string, string]) => unknown;

export interface CompiledCode {
  /** Files that were compiled because the cache did not have them. */
  readonly missing: readonly string[];
  /** Writes their code, with the functions that were called so far. */
  keep(): void;
  /** Loads files as before. */
  stop(): void;
}

/** For all CommonJS files in this directory, but not below it. They can require modules, and cannot import any. */
export function useCompiled(directory: string, cache: CodeCache): CompiledCode {
  const prototype = Module.prototype as unknown as Compiling;
  const compile = prototype._compile;
  const fresh = new Map<string, Script>();
  prototype._compile = function (text, path, ...rest) {
    if (dirname(path) !== directory || text.startsWith("#!")) return compile.call(this, text, path, ...rest);
    const cachedData = cache.read(path);
    const script = new Script(Module.wrap(text), { filename: path, cachedData });
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(path, script);
    const run = script.runInThisContext() as Wrapper;
    return run.call(this.exports, this.exports, createRequire(path), this, path, directory);
  };
  return {
    get missing() {
      return [...fresh.keys()];
    },
    keep() {
      for (const [path, script] of fresh) cache.write(path, script.createCachedData());
      fresh.clear();
    },
    stop() {
      prototype._compile = compile;
    },
  };
}
