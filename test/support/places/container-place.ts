/** A container with the programs of this machine, in an engine of its own, for a suite that runs there. */
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { FIRST_PROCESS } from "../../../src/places/container/image-words.ts";
import type { ContainerEngine } from "../../../src/transport/container/container.ts";
// @ts-expect-error A script without types.
import { openDockerEngine } from "../containers/docker-engine.mjs";
// @ts-expect-error A script without types.
import { openPodmanEngine } from "../containers/podman-engine.mjs";
import type { OpenPlace } from "./place-under-test.ts";

/** What tests start, and what that needs. */
const PROGRAMS = ["/bin", "/sbin", "/lib", "/lib64", "/usr"];
const SETTINGS = "alternatives group login.defs nsswitch.conf pam.d passwd security services shadow sudoers".split(" ");
const SHARED = [...PROGRAMS, ...SETTINGS.map((name) => `/etc/${name}`)];
const NODES = ["/usr/bin/node", "/usr/bin/nodejs", "/usr/local/bin/node", "/bin/node", "/bin/nodejs", process.execPath];

interface Options {
  readonly kind: ContainerEngine;
  /** Without it, a host on this machine runs the programs. */
  readonly hasNode: boolean;
}

/** The container has a temporary directory for the tests, and the working directory of this process, at their paths. */
export async function containerPlace(folder: string, { kind, hasNode }: Options): Promise<OpenPlace> {
  const [own, temporary, home] = [join(folder, "engine"), join(folder, "tmp"), join(folder, "home")];
  for (const path of [own, temporary, home]) mkdirSync(path);
  const engine = await (kind === "docker" ? openDockerEngine : openPodmanEngine)(own);
  const { TMPDIR } = process.env;
  Object.assign(process.env, engine.env, { TMPDIR: temporary });
  const close = async () => {
    if (TMPDIR === undefined) delete process.env["TMPDIR"];
    else process.env["TMPDIR"] = TMPDIR;
    await engine.close();
  };
  try {
    const name = `limpet-suite-${process.pid}`;
    const volume = (from: string, to: string) => ["-v", `${realpathSync(from)}:${to}`];
    const shared = [...SHARED, process.cwd()].filter((path) => existsSync(path));
    const hidden = hasNode ? [] : NODES.filter((path) => existsSync(path));
    const volumes = [
      ...shared.flatMap((path) => volume(path, `${path}:ro`)),
      ...hidden.flatMap((path) => volume("/dev/null", `${path}:ro`)),
      ...(hasNode ? volume(process.execPath, "/opt/node/bin/node:ro") : []),
      ...volume(temporary, temporary),
      // Podman does not create it.
      ...volume(home, "/home"),
    ];
    const words = [
      "run",
      "-d",
      "--name",
      name,
      "--network",
      "none",
      // sudo complains about a name that nobody can resolve.
      "--hostname",
      "localhost",
      "--stop-timeout",
      "0",
      "-e",
      "HOME=/home",
      "--tmpfs",
      "/var",
    ];
    engine.tool(...words, ...volumes, "-w", "/home", "box", "/bin/sh", "-c", FIRST_PROCESS);
    return { address: kind === "docker" ? { docker: name } : { podman: name }, close };
  } catch (error) {
    await close();
    throw error;
  }
}
