/** A Docker engine of its own, without a network, with an image `box` that holds busybox. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answers, freePort, serve } from "../serve.mjs";
import { busyboxTar } from "./busybox-tar.mjs";
import { removeTraces } from "./remove-traces.mjs";

/** Needs nothing of the processor that a virtual machine may lack. */
const GVISOR = { path: "/usr/bin/runsc", runtimeArgs: ["--platform=ptrace", "--network=none"] };

/** `isTcp`: it also listens on the loopback address, as an engine on another machine does. */
export async function openDockerEngine(folder, { isTcp = false } = {}) {
  const tcpPort = isTcp ? await freePort() : undefined;
  const socket = join(folder, "s");
  const config = join(folder, "daemon.json");
  const group = `limpet-docker-${process.pid}`;
  writeFileSync(config, JSON.stringify(existsSync(GVISOR.path) ? { runtimes: { runsc: GVISOR } } : {}));
  mkdirSync(join(folder, "client"), { recursive: true });
  const command = [
    ...["/usr/sbin/dockerd", "--config-file", config, "-H", `unix://${socket}`],
    ...(tcpPort === undefined ? [] : ["-H", `tcp://127.0.0.1:${tcpPort}`, "--tls=false"]),
    ...["--data-root", join(folder, "data"), "--exec-root", join(folder, "exec"), "--pidfile", join(folder, "pid")],
    ...["--iptables=false", "--ip6tables=false", "--bridge=none", "--storage-driver=vfs"],
    ...["--cgroup-parent", `/${group}`, "--containerd", join(folder, "c")],
  ];
  const containerd = await openContainerd(folder);
  const engine = await serve(command, { folder, isReady: () => answers({ path: socket }) }).catch(async (error) => {
    await containerd.close();
    throw error;
  });
  const env = { DOCKER_HOST: `unix://${socket}`, DOCKER_CONFIG: join(folder, "client") };
  const docker = (...args) =>
    execFileSync("docker", args, { env: { ...process.env, ...env }, stdio: "pipe", timeout: 60_000 }).toString();
  const close = async () => {
    try {
      const all = docker("ps", "-aq").split(/\s+/).filter(Boolean);
      if (all.length > 0) docker("rm", "-f", ...all);
    } catch {
      // What is left is ended below.
    }
    await engine.close();
    await containerd.close();
    await removeTraces(folder, group);
  };
  try {
    docker("import", busyboxTar(folder), "box");
  } catch (error) {
    await close();
    throw error;
  }
  return { env, tcp: `tcp://127.0.0.1:${tcpPort}`, tool: docker, close };
}

/**
 * Beside the engine, which kills and restarts a containerd of its own if that does not answer within seconds, as on a
 * busy machine.
 */
async function openContainerd(folder) {
  const config = join(folder, "containerd.toml");
  const socket = join(folder, "c");
  const lines = [
    "version = 2",
    `root = "${join(folder, "containerd")}"`,
    `state = "${join(folder, "containerd-state")}"`,
    // One is for Kubernetes, the other makes folders in /opt.
    'disabled_plugins = ["io.containerd.grpc.v1.cri", "io.containerd.internal.v1.opt"]',
    "[grpc]",
    `  address = "${socket}"`,
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  return await serve(["containerd", "--config", config], { folder, isReady: () => answers({ path: socket }) });
}
