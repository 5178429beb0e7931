/** The messages with which a door and a host open a link. Every received field is checked. Pure. */
import { isFleetName } from "../subjects.ts";

export interface OpenRequest {
  /** 32 random hexadecimal digits. */
  readonly link: string;
  readonly door: string;
  /** The epoch that the host must be in; undefined: any. */
  readonly epoch?: number | undefined;
  readonly windowBytes: number;
}

export type OpenAnswer =
  | {
      readonly kind: "opened";
      readonly epoch: number;
      readonly windowBytes: number;
      /** The signature of `openedText` with the key of the host. */
      readonly signature: string;
    }
  /** The host is in another epoch, accepts no more links, or has read the request too late. */
  | { readonly kind: "refused"; readonly epoch: number; readonly why: string };

const LINK = /^[0-9a-f]{32}$/;
const MIN_WINDOW_BYTES = 64 * 1024;
const MAX_WINDOW_BYTES = 16 * 1024 * 1024;

export function encodeMessage(message: object): Uint8Array {
  return Buffer.from(JSON.stringify(message));
}

/** Undefined for data that is not a JSON object. */
export function decodeMessage(data: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(data).toString());
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

export function readOpenRequest(data: Uint8Array): OpenRequest | undefined {
  const { link, door, epoch, windowBytes } = decodeMessage(data) ?? {};
  const isRequest = typeof link === "string" && LINK.test(link) && isFleetName(door) && isWindow(windowBytes);
  if (!isRequest || (epoch !== undefined && !Number.isSafeInteger(epoch))) return undefined;
  return { link, door, epoch: epoch as number | undefined, windowBytes };
}

export function readOpenAnswer(data: Uint8Array): OpenAnswer | undefined {
  const { kind, epoch, windowBytes, signature, why } = decodeMessage(data) ?? {};
  if (!Number.isSafeInteger(epoch)) return undefined;
  if (kind === "refused") return { kind, epoch: epoch as number, why: String(why).slice(0, 200) };
  const isOpened = kind === "opened" && isWindow(windowBytes) && typeof signature === "string";
  return isOpened ? { kind, epoch: epoch as number, windowBytes, signature } : undefined;
}

/** The text that a host signs: its name, its epoch and the id of the link. */
export function openedText(host: string, epoch: number, link: string): string {
  return `limpet link ${host} ${epoch} ${link}`;
}

function isWindow(bytes: unknown): bytes is number {
  return Number.isSafeInteger(bytes) && (bytes as number) >= MIN_WINDOW_BYTES && (bytes as number) <= MAX_WINDOW_BYTES;
}
