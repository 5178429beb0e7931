/** A telnet server that gives everyone a shell: busybox has one. */

import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answers, freePort, serve } from "../../support/serve.mjs";

export async function openTelnetd(folder) {
  const port = await freePort();
  const shell = join(folder, "shell");
  writeFileSync(shell, "#!/bin/sh\nPS1='far$ ' ENV= exec /bin/dash -i\n");
  chmodSync(shell, 0o755);
  const command = ["busybox", "telnetd", "-F", "-p", String(port), "-b", "127.0.0.1", "-l", shell];
  const { close } = await serve(command, { folder, isReady: () => answers({ port, host: "127.0.0.1" }) });
  return { env: { TELNET_PORT: String(port) }, close };
}
