/** Where the web server listens, from its flags. */
import { readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { hostname, networkInterfaces } from "node:os";
import { resolve } from "node:path";
import { LimpetError } from "../../base/limpet-error.ts";
import type { Where } from "../../web/process/run-web.ts";
import type { Password } from "../../web/server/sign-in/password.ts";
import type { ArgSpecs, Args } from "../args/command.ts";
import { listOf, textOf, wholeOf } from "../args/read-args.ts";

/** The port in links to a server behind a socket file, unless another is given. */
const FORWARDED_PORT = 8573;
const MAX_PORT = 65_535;
const OTHERS = 0o077;

export const whereArgs: ArgSpecs = {
  port: { type: "string", hint: "PORT", description: "The port to listen on. Default: a free one" },
  socket: {
    type: "string",
    hint: "FILE",
    description: "Listen on this socket file instead, for ssh -L PORT:FILE",
  },
  host: {
    type: "string",
    hint: "ADDRESS",
    description: "Also accept other machines, on this address. Needs --tls-cert, --tls-key, and a password or a token",
  },
  name: {
    type: "string",
    isList: true,
    hint: "NAME",
    description: "With --host: a name of this machine in addresses; may be repeated",
  },
  "tls-cert": { type: "string", hint: "FILE", description: "With --host: the certificate, in PEM" },
  "tls-key": { type: "string", hint: "FILE", description: "With --host: its key, in PEM" },
  "password-file": { type: "string", hint: "FILE", description: "With --host: people can sign in with this password" },
};

/** The flags that were given, for the process that listens. Files by their whole path: it runs in another directory. */
export function whereFlags(args: Args): readonly string[] {
  const files = new Set(["socket", "tls-cert", "tls-key", "password-file"]);
  return Object.keys(whereArgs).flatMap((name) => {
    const text = textOf(args, name);
    if (text !== undefined) return [`--${name}=${files.has(name) ? resolve(text) : text}`];
    return listOf(args, name).map((each) => `--${name}=${each}`);
  });
}

export function whereOf(args: Args): Where {
  const port = wholeOf(args, "port", { min: 0, max: MAX_PORT });
  const [socket, host] = [textOf(args, "socket"), textOf(args, "host")];
  if (socket !== undefined) {
    refuse(args, "--socket", ["host", "tls-cert", "tls-key", "password-file"]);
    return { kind: "file", path: resolve(socket), port: port ?? FORWARDED_PORT };
  }
  const isForAll = host !== undefined && !isLoopback(host);
  const hasTls = textOf(args, "tls-cert") !== undefined || textOf(args, "tls-key") !== undefined;
  if (host === undefined || (!isForAll && !hasTls)) {
    refuse(args, "A server for this machine only", ["tls-cert", "tls-key", "password-file"]);
    return { kind: "loopback", port: port ?? 0 };
  }
  if (isIP(host) === 0)
    throw new LimpetError("BAD_OPTION", `--host is ${JSON.stringify(host)}. Give an IP address, such as 0.0.0.0.`);
  const [cert, key] = [textOf(args, "tls-cert"), textOf(args, "tls-key")];
  if (cert === undefined || key === undefined)
    throw new LimpetError(
      "BAD_OPTION",
      `--host ${host} accepts other machines, which needs TLS. Give --tls-cert and --tls-key, or use ssh -L and --socket.`,
    );
  return {
    kind: "address",
    host,
    port: port ?? 0,
    names: namesOf(host, listOf(args, "name")),
    tls: { cert: readPem(cert, "--tls-cert"), key: readPem(key, "--tls-key") },
  };
}

/** Undefined without `--password-file`. */
export async function passwordIn(args: Args): Promise<Password | undefined> {
  const file = textOf(args, "password-file");
  if (file === undefined) return undefined;
  const text = readPem(file, "--password-file");
  if ((statSync(file).mode & OTHERS) !== 0)
    throw new LimpetError("BAD_OPTION", `Other users can read ${file}. Restrict it with: chmod go-rwx '${file}'`);
  const { passwordOf } = await import("../../web/server/sign-in/password.ts");
  return await passwordOf(text);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** The names that clients may use in the Host header. Others are refused. */
function namesOf(host: string, given: readonly string[]): readonly string[] {
  if (given.length > 0) return given;
  if (host !== "0.0.0.0" && host !== "::") return [inAddress(host)];
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return [hostname(), ...addresses.filter(({ internal }) => !internal).map(({ address }) => inAddress(address))];
}

function inAddress(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

function readPem(file: string, flag: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LimpetError("BAD_OPTION", `${flag} ${file} cannot be read (${code}). Give a file that you can read.`, {
      cause,
    });
  }
}

function refuse(args: Args, what: string, names: readonly string[]): void {
  const given = names.find((name) => textOf(args, name) !== undefined);
  if (given !== undefined)
    throw new LimpetError("BAD_OPTION", `${what} does not use --${given}. Leave it out, or give --host an address.`);
}
