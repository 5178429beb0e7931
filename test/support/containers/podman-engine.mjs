/** Podman with directories of its own, without a network, with an image `box` that holds busybox. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { busyboxTar } from "./busybox-tar.mjs";
import { CONTAINERS_CONF } from "./containers-conf.mjs";
import { removeTraces } from "./remove-traces.mjs";

export async function openPodmanEngine(folder) {
  const file = (name, lines) => {
    writeFileSync(join(folder, name), `${lines.join("\n")}\n`);
    return join(folder, name);
  };
  const storage = [
    "[storage]",
    'driver = "vfs"',
    `runroot = "${join(folder, "run")}"`,
    `graphroot = "${join(folder, "graph")}"`,
  ];
  const policy = file("policy.json", ['{"default":[{"type":"insecureAcceptAnything"}]}']);
  const env = {
    CONTAINERS_CONF: file("containers.conf", CONTAINERS_CONF),
    CONTAINERS_STORAGE_CONF: file("storage.conf", storage),
    PODMAN_POLICY: policy,
  };
  const podman = (...args) =>
    execFileSync("podman", args, { env: { ...process.env, ...env }, stdio: "pipe", timeout: 60_000 }).toString();
  const close = async () => {
    try {
      podman("rm", "-f", "-a", "-t", "0");
    } catch {
      // What is left is ended below.
    }
    await removeTraces(folder);
  };
  try {
    podman("import", "--signature-policy", policy, busyboxTar(folder), "box");
  } catch (error) {
    await close();
    throw error;
  }
  return { env, tool: podman, close };
}
