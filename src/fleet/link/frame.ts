/**
 * One message of a link: its kind, its number, how many bytes its sender has consumed so far, and data.
 *
 *     kind (1 byte) | sequence (6 bytes) | consumed (6 bytes) | data
 *
 * Every message reports what was consumed, so separate acknowledgements are rare. Pure.
 */
const HEADER_BYTES = 13;
const KINDS = ["data", "credit", "ping", "end", "reset"] as const;
const EMPTY = new Uint8Array();

export type FrameKind = (typeof KINDS)[number];

export interface Frame {
  /** `end`: no more data follows. `reset`: the sender has closed the link as lost. */
  readonly kind: FrameKind;
  /** Counts the messages of one direction from 0. */
  readonly sequence: number;
  /** Bytes of data that the sender has received and consumed since the link was opened. */
  readonly consumed: number;
  readonly data: Uint8Array;
}

export function encodeFrame({ kind, sequence, consumed, data }: Frame): Uint8Array {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + data.length);
  bytes.writeUInt8(KINDS.indexOf(kind), 0);
  bytes.writeUIntBE(sequence, 1, 6);
  bytes.writeUIntBE(consumed, 7, 6);
  bytes.set(data, HEADER_BYTES);
  return bytes;
}

/** Undefined for data that is not a message of a link. */
export function decodeFrame(bytes: Uint8Array): Frame | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const kind = KINDS[view.readUInt8(0)];
  if (kind === undefined) return undefined;
  const data = bytes.length === HEADER_BYTES ? EMPTY : bytes.subarray(HEADER_BYTES);
  if ((kind === "data") === (data.length === 0)) return undefined;
  return { kind, sequence: view.readUIntBE(1, 6), consumed: view.readUIntBE(7, 6), data };
}
