/** Completes the setting of an image place for its host: chooses the engine and the workspace. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import type { PlaceSetting } from "../../config/settings/read-places.ts";
import { findProgram } from "../../pty/find-program.ts";
import { findProject } from "../../service/owners/find-project.ts";
import type { ContainerEngine } from "../../transport/container/container.ts";
import { engineEnv } from "../../transport/env/child-env.ts";
import type { ContainerSpec } from "./container-spec.ts";

type ImageSetting = Extract<PlaceSetting, { readonly image: string }>;

export function imageSpec({ image, engine, workspace, reuse }: ImageSetting): ContainerSpec {
  const folder = workspace === undefined ? findProject(workingDirectory()) : resolve(workspace);
  return {
    engine: engine ?? installedEngine(),
    image,
    workspace: requireWorkspace(folder),
    ...(reuse ? { reuse } : {}),
  };
}

/** Refuses a home directory: it contains keys and passwords, which a container does not need. */
function requireWorkspace(folder: string): string {
  if (folder !== "/" && folder !== homedir()) return folder;
  throw new LimpetError(
    "BAD_OPTION",
    `${folder} is not a project, so it is not mounted in a container. Start in the folder of a project, or set workspace for the place.`,
  );
}

function installedEngine(): ContainerEngine {
  try {
    findProgram("docker", { cwd: "/", path: engineEnv()["PATH"] });
    return "docker";
  } catch {
    return "podman";
  }
}
