// Opens one session, closes it and ends: what a former process left behind is ended on the way.
import { openSession } from "../../dist/entries/session.js";

const session = await openSession({ program: "true" });
await session.ended;
await session.close();
console.log(JSON.stringify({ ok: true }));
