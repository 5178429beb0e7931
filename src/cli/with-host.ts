/** Connects a command to the user's host while it runs. */

import { connectHost } from "../host/client/connect-host.ts";
import type { HostClient } from "../host/client/host-client.ts";
import { personEnv, stateDirectory } from "./settings/settings.ts";

export async function withHost<T>(work: (sessions: HostClient) => Promise<T>): Promise<T> {
  const sessions = connectHost({ stateDirectory: stateDirectory(), env: personEnv });
  try {
    return await work(sessions);
  } finally {
    sessions.disconnect();
  }
}
