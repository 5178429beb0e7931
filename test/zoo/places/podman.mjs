/** Podman with directories of its own, one image that holds busybox, and one container that runs. */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { busyboxTar } from "./busybox-tar.mjs";

export async function openPodman(folder) {
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const containers = file(
    "containers.conf",
    '[containers]\ndefault_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]\n[engine]\ncgroup_manager = "cgroupfs"\nevents_logger = "none"\nruntime = "runc"\n',
  );
  const storage = file(
    "storage.conf",
    `[storage]\ndriver = "vfs"\nrunroot = "${join(folder, "run")}"\ngraphroot = "${join(folder, "graph")}"\n`,
  );
  const policy = file("policy.json", '{"default":[{"type":"insecureAcceptAnything"}]}');
  const env = { CONTAINERS_CONF: containers, CONTAINERS_STORAGE_CONF: storage, PODMAN_POLICY: policy };
  const podman = (...args) =>
    execFileSync("podman", args, { env: { ...process.env, ...env }, stdio: "pipe", timeout: 60_000 });
  podman("import", "--signature-policy", policy, busyboxTar(folder), "zoo");
  podman("run", "-d", "--name", "zoo", "--network", "none", "zoo", "/bin/sleep", "100000");
  const close = async () => {
    podman("rm", "-f", "-t", "0", "zoo");
  };
  return { env, close };
}
