/** A web server that wants a password, as a private repository does. */
import { createServer } from "node:http";

export async function openHttpAuth() {
  const server = createServer((_, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="zoo"' }).end();
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const close = () => new Promise((done) => server.close(done).closeAllConnections());
  return { env: { HTTP_PORT: String(server.address().port) }, close };
}
