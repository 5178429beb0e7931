/**
 * Answers the command line of the same user: links, shares, status, stop. Whoever gets a link can act as the person, so
 * programs inside of sessions are refused: an agent may have started them.
 */
import { chmodSync, renameSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import { LimpetError } from "../../base/limpet-error.ts";
import { JsonLines, type ReceivedLine } from "../../host/json-lines.ts";
import { isOwnUser, peerOfSocket } from "../../host/server/is-own-user.ts";
import {
  type ControlAnswers,
  type ControlReply,
  type ControlRequest,
  MAX_CONTROL_BYTES,
  readControlRequest,
} from "./control-protocol.ts";

export interface ControlOptions {
  /** A short path of the socket. */
  readonly path: string;
  readonly answer: (request: ControlRequest) => Promise<ControlAnswers[keyof ControlAnswers]>;
  /** Whether a process runs inside of a session. */
  readonly isInsideSession: (pid: number) => Promise<boolean>;
  readonly onProblem: (text: string) => void;
}

/** A connection asks once. */
const PATIENCE_MS = 10_000;
const MAX_CONNECTIONS = 64;

export class ControlServer {
  readonly #options: ControlOptions;
  readonly #server: Server;

  constructor(options: ControlOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** Replaces the socket of a server that has ended, so only the owner of the lock may call this. */
  async listen(): Promise<void> {
    const { path } = this.#options;
    const hidden = `${path}.new`;
    rmSync(hidden, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(hidden, resolve);
    });
    chmodSync(hidden, 0o600);
    // Renamed when it is ready, so that a visible socket always accepts connections.
    renameSync(hidden, path);
    this.#server.on("error", () => undefined);
  }

  close(): void {
    rmSync(this.#options.path, { force: true });
    this.#server.close();
  }

  #accept(socket: Socket): void {
    if (!isOwnUser(socket)) {
      socket.destroy();
      return;
    }
    socket.setTimeout(PATIENCE_MS, () => socket.destroy());
    let isAsked = false;
    const lines: JsonLines = new JsonLines({
      socket,
      maxLineBytes: MAX_CONTROL_BYTES,
      onLine: (line) => {
        if (isAsked) return;
        isAsked = true;
        void this.#reply(line, socket).then((reply) => {
          lines.send(reply);
          lines.end();
        });
      },
      onClosed: () => undefined,
    });
  }

  async #reply(line: ReceivedLine, socket: Socket): Promise<ControlReply> {
    try {
      const request = line.kind === "value" ? readControlRequest(line.value) : undefined;
      if (request === undefined)
        throw new LimpetError(
          "BAD_REQUEST",
          "The web server does not know this request. Use the same version of limpet for both.",
        );
      if (request.method !== "status") await this.#requirePerson(socket);
      return { result: await this.#options.answer(request) };
    } catch (error) {
      if (error instanceof LimpetError) return { error: { code: error.code, message: error.message } };
      this.#options.onProblem(`control: ${error instanceof Error ? error.stack : String(error)}`);
      return { error: { code: "SERVER_FAILED", message: "The web server failed. Its log, web.log, has the details." } };
    }
  }

  async #requirePerson(socket: Socket): Promise<void> {
    const peer = peerOfSocket(socket);
    if (peer !== undefined && peer.pid > 0 && !(await this.#options.isInsideSession(peer.pid))) return;
    throw new LimpetError(
      "NOT_ALLOWED",
      "This program runs inside a session, where an agent could use it. Use a terminal of your own.",
    );
  }
}
