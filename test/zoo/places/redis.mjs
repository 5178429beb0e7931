import { answers, freePort, serve } from "../../support/serve.mjs";

export async function openRedis(folder) {
  const port = await freePort();
  const command = ["redis-server", "--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
  const { close } = await serve(command, { folder, isReady: () => answers({ port, host: "127.0.0.1" }) });
  return { env: { REDIS_PORT: String(port) }, close };
}
