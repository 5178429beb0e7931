/** Shows a person how much of a Node has been sent to a place. */
import type { NodeProgress } from "../../places/node/bring-node.ts";
import { ProgressLine } from "./progress-line.ts";

const MEGABYTE = 1_000_000;

export function showNodeProgress(): (progress: NodeProgress) => void {
  const line = new ProgressLine();
  return ({ place, sentBytes, totalBytes }) => {
    const [sent, total] = [sentBytes, totalBytes].map((bytes) => Math.round(bytes / MEGABYTE));
    line.tell(() => `Sending Node to ${place}: ${sent} of ${total} MB`);
    if (sentBytes === totalBytes) line.end();
  };
}
