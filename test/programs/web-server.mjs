// Listens on the port it is given, or on a free one, and says so only when asked to.
import { createServer } from "node:http";

const [port = "0", address = "::", words = ""] = process.argv.slice(2);
createServer((_, response) => response.end("ok")).listen(Number(port), address, () => {
  if (words) console.log(words);
});
