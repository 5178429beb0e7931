/** Follows a program's output line by line, until the line that matters. With a file: `open("tail -F app.log")`. */
import { open } from "limpet";

const server = await open("echo GET /; echo GET /about; echo ERROR disk full; echo GET /; sleep 60");
for await (const line of server.lines()) {
  console.log(line);
  if (line.startsWith("ERROR")) break;
}
await server.close();
