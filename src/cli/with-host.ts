/** Connects a command to the user's host while it runs. A person sees the sessions of all projects. */

import { connectHost } from "../host/client/connect-host.ts";
import type { HostClient } from "../host/client/host-client.ts";
import { personEnv, stateDirectory } from "./settings/settings.ts";

/** The owner of the sessions that a person starts. */
export const PERSON = "person";

export async function withHost<T>(work: (sessions: HostClient) => Promise<T>): Promise<T> {
  const sessions = connectHost({ stateDirectory: stateDirectory(), reach: "user", env: personEnv });
  try {
    return await work(sessions);
  } finally {
    sessions.disconnect();
  }
}
