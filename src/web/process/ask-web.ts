/** Asks the web server of a state directory. */
import { connect, type Socket } from "node:net";
import { dirname, join } from "node:path";
import { ERROR_CODES, LimpetError, type LimpetErrorCode } from "../../base/limpet-error.ts";
import { JsonLines } from "../../host/json-lines.ts";
import { findStateDirectory, type StateDirectory } from "../../host/state/state-directory.ts";
import {
  CONTROL_SOCKET,
  type ControlAnswers,
  type ControlReply,
  type ControlRequest,
  MAX_CONTROL_BYTES,
} from "./control-protocol.ts";

const PATIENCE_MS = 20_000;

/** Undefined if none runs. Rejects with what the server refuses. */
export async function askWeb<R extends ControlRequest>(
  stateDirectory: string,
  request: R,
): Promise<ControlAnswers[R["method"]] | undefined> {
  const directory = findStateDirectory(stateDirectory);
  if (directory === undefined) return undefined;
  try {
    const socket = await reach(controlPath(directory));
    if (socket === undefined) return undefined;
    const reply = await ask(socket, request);
    if ("error" in reply) throw new LimpetError(codeOf(reply.error.code), reply.error.message);
    return reply.result as ControlAnswers[R["method"]];
  } finally {
    directory.release();
  }
}

/** A short path, valid until the directory is released. */
export function controlPath({ socketPath }: StateDirectory): string {
  return join(dirname(socketPath), CONTROL_SOCKET);
}

function reach(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect(path, () => {
      socket.off("error", onError);
      resolve(socket);
    });
    const onError = (cause: NodeJS.ErrnoException) => {
      if (cause.code === "ENOENT" || cause.code === "ECONNREFUSED") return resolve(undefined);
      reject(noAnswer(String(cause.code), cause));
    };
    socket.on("error", onError);
  });
}

function ask(socket: Socket, request: ControlRequest): Promise<ControlReply> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    const lines: JsonLines = new JsonLines({
      socket,
      maxLineBytes: MAX_CONTROL_BYTES,
      onLine: (line) => {
        if (line.kind === "value") resolve(line.value as ControlReply);
        socket.end();
      },
      onClosed: () => reject(noAnswer("it closed the connection")),
    });
    lines.send(request);
  });
}

function codeOf(code: string): LimpetErrorCode {
  return ERROR_CODES.find((known) => known === code) ?? "SERVER_FAILED";
}

function noAnswer(why: string, cause?: unknown): LimpetError {
  return new LimpetError(
    "WEB_NOT_RUNNING",
    `The web server does not answer (${why}). Start it again with: limpet web`,
    {
      cause,
    },
  );
}
