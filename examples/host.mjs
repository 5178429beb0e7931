/** Sessions that outlive whoever started them: a host owns them, and clients come and go. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectHost } from "limpet/service";

const home = await mkdtemp(join(tmpdir(), "limpet-host-"));
// Usually ~/.local/state/limpet, which the command line and `limpet mcp` share. Here nobody's own sessions are touched.
const stateDirectory = join(home, "state");
const deadlineMs = 20_000;

try {
  // The first call starts the host.
  const first = connectHost({ stateDirectory });
  const { id } = await first.start({ command: "read -rp 'Who is there? ' who; echo \"Hello, $who.\"", name: "door" });
  const { yielded } = await first.wait({ keys: [id], deadlineMs });
  console.log(`the first client: session ${id} waits, ${yielded.reason}: ${yielded.waitingFor}; now it leaves`);
  first.disconnect();

  // Somebody else, perhaps after a crash of the first: the program still waits, and nothing that it printed is lost.
  const second = connectHost({ stateDirectory });
  console.log(`the second client: ${(await second.list({ ended: false })).map(({ name }) => name)} is still there`);
  await second.write("door", "Ada\n", { caller: "second" });
  await second.wait({ keys: ["door"], onInput: false, deadlineMs });
  console.log((await second.text("door", {})).text);
  second.disconnect();
} finally {
  await connectHost({ stateDirectory }).stopHost();
  await rm(home, { recursive: true });
}
