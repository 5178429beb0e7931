/**
 * Runs the control master of ssh in a session on this machine, where a person answers its prompts. The session is held,
 * so agents see that it waits but cannot type into it. It runs while the connection lasts.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../base/async/until-aborted.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { connectHost } from "../../host/client/connect-host.ts";
import type { HostClient } from "../../host/client/host-client.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import { startSession } from "../../service/turn/simple-turns.ts";
import type { SshRefusal } from "./ask-person.ts";
import { masterArgv } from "./ssh-argv.ts";

/** How long a call waits for a person. Then it fails with an error that names the session. */
const PATIENCE_MS = 20_000;
const LOOK_EVERY_MS = 250;
const OWNER = "limpet";

export async function askInSession(refusal: SshRefusal): Promise<void> {
  const { ways, stateDirectory } = refusal;
  ways.prepare();
  // A separate project, so that answers to agents do not list this session.
  const local = connectHost({ stateDirectory, project: ways.directory });
  try {
    const id = await startMaster(local, refusal);
    await untilAnswered(local, { ...refusal, id });
  } finally {
    local.disconnect();
  }
}

/** Starts the control master, or reuses one that already waits. */
async function startMaster(local: HostClient, { place, ways }: SshRefusal): Promise<number> {
  const [program = "", ...args] = masterArgv(ways.target, ways.socket);
  const env = { SSH_ASKPASS_REQUIRE: "never" };
  const start = { program, args, cwd: ways.directory, env, name: `ssh ${place}`, reuse: true };
  const { id } = await startSession(local, start, OWNER);
  // The session may have ended already.
  await local.hold(id, { reason: "only a person answers ssh" }).catch(() => undefined);
  return id;
}

interface Asking extends SshRefusal {
  readonly id: number;
}

async function untilAnswered(local: HostClient, asking: Asking): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    if (await asking.ways.ownMasterRuns()) return;
    const session = (await local.list({ ended: true })).find(({ id }) => id === asking.id);
    if (!session || session.exit || session.lost) throw refused(asking, session);
    if (performance.now() > deadlineMs) throw asks(asking, session);
    await untilAborted(sleep(LOOK_EVERY_MS), asking.signal);
  }
}

function refused({ place, id, error }: Asking, session: SessionSummary | undefined): LimpetError {
  const last = session?.lastLine ?? "";
  const words = last === "" ? error.message : `ssh said: ${last}`;
  return new LimpetError(
    "PLACE_UNREACHABLE",
    `ssh to ${place} asked in session ${id} and ended without a connection. ${words}`,
    { cause: error },
  );
}

function asks({ place, id, question }: Asking, { waitingFor }: SessionSummary): LimpetError {
  const what = waitingFor === "password" ? "a password" : question === "host key" ? "trust in its host key" : "a login";
  const how = waitingFor === "password" ? `limpet answer ${id}` : `limpet attach ${id}`;
  return new LimpetError(
    "PLACE_ASKS",
    `${place} asks for ${what}: ssh waits in session ${id} for a person. Ask the person to run ${how}, then repeat the call.`,
  );
}
