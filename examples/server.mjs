/** Starts a server and waits until it listens, whatever it prints. */
import { open } from "limpet";

const server = await open("python3 -m http.server 0 --bind 127.0.0.1");
const { reason, port } = await server.wait({ port: "any" });
if (reason !== "listening") throw new Error(`No port (${reason}): ${await server.text()}`);

const response = await fetch(`http://127.0.0.1:${port}/`);
console.log(`port ${port} answers ${response.status}`);
await server.close();
