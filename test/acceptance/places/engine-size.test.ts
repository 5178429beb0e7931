/** Docker's client gives up telling the engine the size of a terminal if the program is slow to start. */
import { expect, test, vi } from "vitest";
import { openSession } from "../../../src/session/open/open-session.ts";
import { containerTransport } from "../../../src/transport/container/container-transport.ts";
import { deafenDocker } from "../../support/containers/deaf-engine.ts";
import { useEngine } from "../../support/containers/engine.ts";
import { outputHas, until } from "../../support/sessions.ts";

vi.setConfig({ testTimeout: 240_000 });
const engine = useEngine("docker");
const PATIENCE_MS = 90_000;

const open = (isHere: boolean) =>
  openSession({
    transport: containerTransport({ container: { engine: "docker", name: engine.start() }, isHere }),
    baseEnv: async () => ({}),
    cwd: "/tmp",
    program: "sh",
    args: ["-c", "while :; do stty size 2>&1; sleep 0.1; done"],
    size: { rows: 33, cols: 90 },
  });
/** Of the client. */
const COMPLAINT = "failed to resize";

test("limpet sets the size itself, and the client's complaint is not part of the output", async () => {
  const deaf = await deafenDocker();
  await using session = await open(true);
  await outputHas(session, "33 90", PATIENCE_MS);

  session.resize({ rows: 20, cols: 70 });

  await outputHas(session, "20 70", PATIENCE_MS);
  await until(() => deaf.hasGivenUp(), "the client gives up", PATIENCE_MS);
  expect((await session.readText()).text).not.toContain(COMPLAINT);
});

test("where only the engine can set the size, its client is made to try again", async () => {
  const deaf = await deafenDocker();
  await using session = await open(false);
  await until(() => deaf.hasGivenUp(), "the client gives up", PATIENCE_MS);

  deaf.allow();

  await outputHas(session, "33 90", PATIENCE_MS);
  expect((await session.readText()).text).not.toContain(COMPLAINT);
});
