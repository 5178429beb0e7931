/** A real sshd on the loopback address, with keys, settings and a user's home of its own. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { answers, freePort, serve } from "../serve.mjs";

/** `settings`: more lines for sshd_config, which win; `hostKeys`: whether the client asks, knows or has a wrong key. */
export async function openSshd(folder, { settings = [], hostKeys = "accept" } = {}) {
  const port = await freePort();
  chmodSync(folder, 0o700);
  const key = (name) => {
    const path = join(folder, name);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", path]);
    return path;
  };
  const [host, user] = [key("host"), key("user")];
  execFileSync("cp", [`${user}.pub`, join(folder, "authorized")]);
  const config = join(folder, "sshd_config");
  const lines = [
    ...settings,
    `Port ${port}`,
    "ListenAddress 127.0.0.1",
    `HostKey ${host}`,
    `PidFile ${join(folder, "pid")}`,
    `AuthorizedKeysFile ${join(folder, "authorized")}`,
    "StrictModes no",
    "UsePAM no",
    "PasswordAuthentication yes",
    "KbdInteractiveAuthentication no",
    "PermitRootLogin yes",
    "PrintMotd no",
    "PrintLastLog no",
    "AcceptEnv LANG LC_*",
    "Subsystem sftp internal-sftp",
    // The shells behind it have the user's own home.
    "SetEnv HISTFILE=/dev/null",
  ];
  writeFileSync(config, `${lines.join("\n")}\n`);
  const knownKey = { right: host, wrong: user }[hostKeys];
  if (knownKey) {
    const [type, publicKey] = readFileSync(`${knownKey}.pub`, "utf8").split(" ");
    writeFileSync(join(folder, "known"), `[127.0.0.1]:${port} ${type} ${publicKey}\n`);
  }
  const client = join(folder, "ssh_config");
  const options = [
    "Host zoo",
    "HostName 127.0.0.1",
    `Port ${port}`,
    `User ${userInfo().username}`,
    `UserKnownHostsFile ${join(folder, "known")}`,
    `StrictHostKeyChecking ${hostKeys === "accept" ? "accept-new" : "yes"}`,
    "LogLevel ERROR",
    "IdentitiesOnly yes",
    `IdentityFile ${user}`,
  ];
  writeFileSync(client, `${options.join("\n")}\n`);
  try {
    // sshd wants this folder to exist, whatever its settings say.
    mkdirSync("/run/sshd", { recursive: true });
  } catch {
    // Not as an ordinary user; then sshd does not need it.
  }
  const { pid, close } = await serve(["/usr/sbin/sshd", "-D", "-e", "-f", config], {
    folder,
    isReady: () => answers({ port, host: "127.0.0.1" }),
  });
  return { env: { SSH_CONFIG: client, SSH_PORT: String(port) }, pid, close };
}
