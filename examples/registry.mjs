/** Sessions by name, with a limit and an end after an hour without use: for a server that opens them for its users. */
import { SessionRegistry } from "limpet/session";

const registry = new SessionRegistry({ maxSessions: 2, idleMs: 3_600_000 });
await registry.open({ program: "python3", args: ["-q"], name: "ada" });
await registry.open({ program: "python3", args: ["-q"], name: "grace" });
await registry.open({ program: "python3" }).catch(({ code }) => console.log(code)); // SESSION_LIMIT

console.log(registry.list().map(({ name }) => name));
await registry.closeAll();
