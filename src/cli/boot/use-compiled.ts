/** Lets Node load files with the code that an earlier start has compiled. */
import { readFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import type { CodeCache } from "./code-cache.ts";

/** What Node calls for each file that `require` loads, with its text. */
interface Compiling extends NodeJS.Module {
  _compile(this: Compiling, text: string, path: string, ...rest: readonly unknown[]): unknown;
}

type Require = (id: string) => unknown;
type Wrapper = (...given: readonly [object, Require, Compiling, string, string]) => unknown;

export interface CompiledCode {
  /** Files that were compiled because the cache did not have them. */
  readonly missing: readonly string[];
  /** Writes their code, with the functions that were called so far. */
  keep(): void;
  /** Loads files as before. */
  stop(): void;
}

/** For all CommonJS files in this directory, but not below it. They can `require` modules, but not `import` them. */
export function useCompiled(directory: string, cache: CodeCache): CompiledCode {
  const prototype = Module.prototype as unknown as Compiling;
  const compile = prototype._compile;
  const fresh = new Map<string, Script>();
  const require = requireFrom(directory);
  prototype._compile = function (text, path, ...rest) {
    if (dirname(path) !== directory || text.startsWith("#!")) return compile.call(this, text, path, ...rest);
    const cachedData = cache.read(path);
    const script = new Script(Module.wrap(text), { filename: path, cachedData });
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(path, script);
    const run = script.runInThisContext() as Wrapper;
    return run.call(this.exports, this.exports, require, this, path, directory);
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

/**
 * Loads files of this directory without a search. Their names are exact, and for each of dozens of files Node would
 * look for links and for package.json, which takes longer than loading the file.
 */
function requireFrom(directory: string): Require {
  const others = createRequire(join(directory, "others.js"));
  return (id) => {
    if (!id.startsWith("./")) return others(id);
    const path = join(directory, id);
    const known = others.cache[path];
    if (known) return known.exports;
    const loaded = new Module(path) as Compiling;
    loaded.filename = path;
    others.cache[path] = loaded;
    try {
      loaded._compile(readFileSync(path, "utf8"), path);
    } catch (error) {
      delete others.cache[path];
      throw error;
    }
    loaded.loaded = true;
    return loaded.exports;
  };
}
