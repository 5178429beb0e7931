/**
 * The folder that the Dockerfile is built from: this package and its dependencies, as they are installed here, so that
 * the image has the versions that were tested and is built without a network.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { root } from "./run.mjs";

const FILES = ["package.json", "LICENSE", "README.md", "dist"];

/** `directory` is emptied first. */
export function writeImageContext(directory) {
  rmSync(directory, { recursive: true, force: true });
  const modules = join(directory, "app/node_modules");
  for (const path of [join(modules, "limpet"), join(modules, ".bin"), join(directory, "home")])
    mkdirSync(path, { recursive: true });
  for (const name of FILES) cpSync(join(root, name), join(modules, "limpet", name), { recursive: true });
  for (const name of dependencies()) copyPackage(name, join(modules, name));
  // npm does this when it installs a package.
  chmodSync(join(modules, "limpet/dist/bin/main.js"), 0o755);
  symlinkSync("../limpet/dist/bin/main.js", join(modules, ".bin/limpet"));
  cpSync(join(root, "Dockerfile"), join(directory, "Dockerfile"));
  return directory;
}

/** They have no dependencies of their own. Optional ones are there if this machine can use them. */
function dependencies() {
  const { dependencies, optionalDependencies } = readManifest(root);
  const isThere = (name) => {
    try {
      return Object.keys(readManifest(join(root, "node_modules", name)).dependencies ?? {}).length === 0;
    } catch {
      return false;
    }
  };
  const missing = Object.keys(dependencies).filter((name) => !isThere(name));
  if (missing.length > 0) throw new Error(`${missing} is not installed, or has dependencies. Run npm ci.`);
  return [...Object.keys(dependencies), ...Object.keys(optionalDependencies).filter(isThere)];
}

function copyPackage(name, to) {
  cpSync(join(root, "node_modules", name), to, { recursive: true });
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
}
