/** Many sessions under one roof: names, a limit, expiry of the forgotten, and output that outlives its program. */
import { LimpetError } from "limpet";
import { SessionRegistry } from "limpet/session";

const registry = new SessionRegistry({ maxSessions: 2, idleMs: 1_000 });

try {
  const server = await registry.open({ program: "cat", name: "server" });
  await registry.open({ program: "sh", args: ["-c", "echo built; exit 2"], name: "build" }).then(({ ended }) => ended);

  // The program is gone, its output is not: it can be asked for by name, later, by somebody else.
  const build = registry.get("build");
  console.log(build.exit, JSON.stringify((await build.readText()).text));

  // One that has ended needs no place. When all places are taken, the newcomer is refused; nobody is ended for it.
  await registry.open({ program: "cat" });
  await registry.open({ program: "cat" }).catch((error) => {
    if (!(error instanceof LimpetError)) throw error;
    console.log(`${error.code}: ${error.message}`);
  });

  // Nobody asks the registry for the server any more, so it is closed after `idleMs`, and says why.
  await server.ended;
  console.log(`server: ${server.phase}, closed because: ${server.closeReason}`);
} finally {
  await registry.closeAll();
}
console.log(`left: ${registry.list({ ended: true }).length}`);
