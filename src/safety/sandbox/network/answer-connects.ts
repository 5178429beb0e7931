/** One thread for this process that connects programs in sandboxes to the proxy; see `connect-worker.ts`. */
import { closeSync, writeSync } from "node:fs";
import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { openPipe } from "../../../pty/open-pipes.ts";
import { workerFile } from "../worker-file.ts";

export interface ConnectorSetup {
  /** Readable when there is a message, and at its end when the thread must end. */
  readonly wake: number;
  readonly port: MessagePort;
}

/** Where the attempts to connect of one sandbox are read from, and the only port that they may reach. */
export interface StoppedConnects {
  readonly listener: number;
  readonly proxyPort: number;
}

interface Connector {
  readonly wake: number;
  readonly port: MessagePort;
}

let started: Connector | undefined;

/** Answers attempts to connect from now on, and closes the listener after the last program. */
export function answerConnects(connects: StoppedConnects): void {
  started ??= start();
  started.port.postMessage(connects);
  writeSync(started.wake, "\n");
}

function start(): Connector {
  const [wake, ours] = openPipe();
  const { port1, port2 } = new MessageChannel();
  const workerData: ConnectorSetup = { wake, port: port2 };
  const worker = new Worker(workerFile("connect-worker"), {
    workerData,
    transferList: [port2],
    execArgv: [],
    // It opens and closes descriptors that Node does not know.
    trackUnmanagedFds: false,
  });
  worker.unref();
  port1.unref();
  const end = () => {
    started = undefined;
    port1.close();
    closeSync(ours);
    process.off("exit", end);
  };
  // The next sandbox starts another one.
  worker.once("error", () => undefined).once("exit", end);
  // Node waits for its threads at the end, and this one may be waiting in the kernel.
  process.once("exit", end);
  return { wake: ours, port: port1 };
}
