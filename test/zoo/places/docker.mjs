/** A Docker engine of its own, with one image that holds busybox, and one container that runs. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { busyboxTar } from "./busybox-tar.mjs";
import { answers, serve } from "./serve.mjs";

export async function openDocker(folder) {
  const socket = join(folder, "s");
  const config = join(folder, "daemon.json");
  writeFileSync(config, "{}");
  mkdirSync(join(folder, "client"), { recursive: true });
  const command = [
    "/usr/sbin/dockerd",
    "--config-file",
    config,
    "-H",
    `unix://${socket}`,
    "--data-root",
    join(folder, "data"),
  ];
  command.push("--exec-root", join(folder, "exec"), "--pidfile", join(folder, "pid"));
  command.push("--iptables=false", "--ip6tables=false", "--bridge=none", "--storage-driver=vfs");
  const engine = await serve(command, { folder, isReady: () => answers({ path: socket }) });
  const env = { DOCKER_HOST: `unix://${socket}`, DOCKER_CONFIG: join(folder, "client") };
  const docker = (...args) => execFileSync("docker", args, { env: { ...process.env, ...env }, stdio: "pipe" });
  const close = async () => {
    try {
      docker("rm", "-f", "zoo");
    } catch {
      // It has never run.
    }
    await engine.close();
  };
  try {
    docker("import", busyboxTar(folder), "zoo");
    docker("run", "-d", "--name", "zoo", "--network", "none", "zoo", "/bin/sleep", "100000");
  } catch (error) {
    await close();
    throw error;
  }
  return { env, close };
}
