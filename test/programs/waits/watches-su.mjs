// Runs su, whose process belongs to root, and tells what can be known of it. To be started as somebody else.
import { openSession } from "../../../dist/entries/session.js";

const session = await openSession({ program: "su", args: ["-c", "true"], cwd: "/" });
const prompt = await session.wait({ until: /Password: /, deadlineMs: 20_000 });
const { reason } = await session.wait({ deadlineMs: 20_000 });
const { state, waitingFor, evidence } = await session.status();
await session.write("\x03");
const end = await session.wait({ deadlineMs: 20_000 });
console.log(JSON.stringify({ prompt: prompt.reason, state, waitingFor, evidence, reason, end: end.reason }));
await session.discard();
