import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CodeCache } from "./code-cache.ts";
import { type CompiledCode, useCompiled } from "./use-compiled.ts";

let home: string;
let code: string;
let file: string;
let using: CompiledCode | undefined;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "limpet-compiled-"));
  code = join(home, ".cache", "limpet", "code");
  mkdirSync(join(home, "bin"));
  file = join(home, "bin", "greet.js");
  writeFileSync(file, `exports.greet = (name) => "hello " + name;`);
});

afterEach(() => {
  using?.stop();
  using = undefined;
  rmSync(home, { recursive: true });
});

/** Loads the file as a process would that starts now. */
function load(): { readonly greet: (name: string) => string } {
  using?.stop();
  using = useCompiled(join(home, "bin"), new CodeCache(code));
  const require = createRequire(file);
  delete require.cache[file];
  return require(file);
}

function missing(): readonly string[] | undefined {
  return using?.missing;
}

test("the second start uses the code that the first one has compiled", () => {
  expect(load().greet("a")).toBe("hello a");
  expect(missing()).toEqual([file]);
  using?.keep();

  expect(load().greet("b")).toBe("hello b");
  expect(missing()).toEqual([]);
});

test("a file that was replaced is compiled again, even with the same size and time", () => {
  utimesSync(file, 1, 1);
  load();
  using?.keep();
  const next = join(home, "next.js");
  writeFileSync(next, `exports.greet = (name) => "HELLO " + name;`);
  utimesSync(next, 1, 1);
  renameSync(next, file);

  expect(load().greet("a")).toBe("HELLO a");
  expect(missing()).toEqual([file]);
});

test.each([
  ["a changed byte", (bytes: Buffer) => bytes.fill(bytes[100] === 0 ? 1 : 0, 100, 101)],
  ["a missing end", (bytes: Buffer) => bytes.subarray(0, bytes.length - 3)],
  ["nothing", () => Buffer.alloc(0)],
])("code with %s is compiled again, and replaced", (_, damage) => {
  load();
  using?.keep();
  const [name = ""] = readdirSync(code);
  writeFileSync(join(code, name), damage(readFileSync(join(code, name))));

  expect(load().greet("a")).toBe("hello a");
  expect(missing()).toEqual([file]);
  using?.keep();
  load();
  expect(missing()).toEqual([]);
});

test("code that others can write is not used", () => {
  load();
  using?.keep();
  const [name = ""] = readdirSync(code);
  chmodSync(join(code, name), 0o666);

  load();
  expect(missing()).toEqual([file]);
});

test("files load those beside them once, also in a circle, and those that fail again", () => {
  const at = (name: string) => join(home, "bin", name);
  writeFileSync(at("one.js"), `exports.name = "one"; exports.two = require("./two.js").name;`);
  writeFileSync(at("two.js"), `exports.name = "two of " + require("./one.js").name; require("node:path").sep;`);
  writeFileSync(at("bad.js"), `throw new Error("no " + (globalThis.tries = (globalThis.tries ?? 0) + 1));`);
  writeFileSync(at("asks.js"), `exports.ask = () => require("./bad.js");`);
  load();
  const require = createRequire(file);

  expect(require(at("one.js"))).toEqual({ name: "one", two: "two of one" });
  expect(require(at("one.js"))).toBe(require(at("one.js")));
  expect(require.cache[at("two.js")]?.loaded).toBe(true);
  expect(() => require(at("asks.js")).ask()).toThrow("no 1");
  expect(() => require(at("asks.js")).ask()).toThrow("no 2");
});

test("files elsewhere are loaded as ever", () => {
  const other = join(home, "other.js");
  writeFileSync(other, "module.exports = 7;");
  load();

  expect(createRequire(file)(other)).toBe(7);
  expect(missing()).toEqual([file]);
});

test("without a home, nothing is kept and nothing fails", () => {
  using = useCompiled(join(home, "bin"), new CodeCache(join(home, "gone", ".cache", "limpet", "code")));
  expect(createRequire(file)(file).greet("a")).toBe("hello a");

  using?.keep();
  expect(readdirSync(home)).toEqual(["bin"]);
});

test("what was written a month ago is removed", () => {
  load();
  using?.keep();
  const cache = new CodeCache(code);
  cache.removeOld(Date.now());
  expect(readdirSync(code)).toHaveLength(1);

  cache.removeOld(Date.now() + 31 * 24 * 60 * 60 * 1000);
  expect(readdirSync(code)).toEqual([]);
});
