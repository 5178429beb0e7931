/** Stops waiting when a signal is aborted. The program goes on until its session is closed. */
import { open } from "limpet";

const session = await open("sleep 60");
const signal = AbortSignal.timeout(500);
await session.wait({ signal, onInput: false }).catch((error) => console.log(error.name)); // TimeoutError
console.log((await session.status()).exit); // null: it runs
await session.close();
