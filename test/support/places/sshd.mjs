/** A real sshd on the loopback address, with keys, settings and a user's home of its own. */
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { answers, freePort, serve } from "../serve.mjs";

/**
 * `settings`: more lines for sshd_config, which win; `clientSettings`: the same for ssh_config; `hostKeys`: whether the
 * client asks, or which key it knows; `program`: words before sshd, which may put it where nobody reaches its port.
 */
export async function openSshd(folder, options = {}) {
  const { settings = [], clientSettings = [], hostKeys = "accept", program = [] } = options;
  const port = await freePort();
  chmodSync(folder, 0o700);
  const key = (name, type = "ed25519") => {
    const path = join(folder, name);
    execFileSync("ssh-keygen", ["-q", "-t", type, "-N", "", "-f", path]);
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
  const knownKey = { right: host, wrong: user, revoked: host, "other type": key("other", "ecdsa") }[hostKeys];
  if (knownKey) {
    const [type, publicKey] = readFileSync(`${knownKey}.pub`, "utf8").split(" ");
    const mark = hostKeys === "revoked" ? "@revoked " : "";
    writeFileSync(join(folder, "known"), `${mark}[127.0.0.1]:${port} ${type} ${publicKey}\n`);
  }
  const client = join(folder, "ssh_config");
  const clientLines = [
    "Host zoo",
    ...clientSettings,
    // The same server as a jump host.
    "Host zoo hop",
    "HostName 127.0.0.1",
    `Port ${port}`,
    `User ${userInfo().username}`,
    `UserKnownHostsFile ${join(folder, "known")}`,
    `StrictHostKeyChecking ${{ accept: "accept-new", ask: "ask" }[hostKeys] ?? "yes"}`,
    "LogLevel ERROR",
    "IdentitiesOnly yes",
    `IdentityFile ${user}`,
  ];
  writeFileSync(client, `${clientLines.join("\n")}\n`);
  try {
    // sshd wants this folder to exist, whatever its settings say.
    mkdirSync("/run/sshd", { recursive: true });
  } catch {
    // Not as an ordinary user; then sshd does not need it.
  }
  const { pid, close } = await serve([...program, "/usr/sbin/sshd", "-D", "-e", "-f", config], {
    folder,
    isReady:
      program.length === 0
        ? () => answers({ port, host: "127.0.0.1" })
        : async () => readFileSync(join(folder, "log"), "utf8").includes("Server listening"),
  });
  return { env: { SSH_CONFIG: client, SSH_PORT: String(port) }, pid, close };
}
