/**
 * Output that is queued for the disk, in blocks of one origin each and without gaps inside.
 *
 * Output that alternates between stdout and stderr creates many small blocks. So a block grows as it fills, and the
 * limit applies to the memory that the blocks use.
 */
import type { Cursor, Page } from "../../base/cursor.ts";
import type { Origin } from "../../transport/transport.ts";
import type { PageBounds } from "./disk-page.ts";
import { HEADER_BYTES } from "./disk-record.ts";

/** With its header, so that a whole number of records fits into a segment. */
export const FULL_RECORD_BYTES: number = 64 * 1024;
const MAX_BLOCK_BYTES: number = FULL_RECORD_BYTES - HEADER_BYTES;
const FIRST_BLOCK_BYTES = 512;
/** Memory of written full blocks, reused by all sessions: a flood fills hundreds per second. */
const spare: Buffer[] = [];
const MOST_SPARE = 16;

export interface Block {
  readonly cursor: Cursor;
  readonly origin: Origin;
  bytes: Buffer;
  length: number;
}

export class WaitingBlocks {
  readonly #blocks: Block[] = [];
  #memoryBytes = 0;
  /** How many blocks, counted from the first, are being written and must not change. */
  #taken = 0;

  get memoryBytes(): number {
    return this.#memoryBytes;
  }

  get count(): number {
    return this.#blocks.length;
  }

  /** The number of output bytes; `memoryBytes` is the memory they use. */
  get bytes(): number {
    return this.#blocks.reduce((sum, { length }) => sum + length, 0);
  }

  get first(): Block | undefined {
    return this.#blocks[0];
  }

  get last(): Block | undefined {
    return this.#blocks.at(-1);
  }

  has(block: Block): boolean {
    return this.#blocks.includes(block);
  }

  add(cursor: Cursor, bytes: Uint8Array, origin: Origin): void {
    let rest = bytes;
    while (rest.length > 0) rest = rest.subarray(this.#fill(cursor + bytes.length - rest.length, rest, origin));
  }

  /** The queued output at or after `start`, from one block; undefined if there is none before `before`. */
  page({ asked, start, before, maxBytes }: PageBounds): Page | undefined {
    const block = this.#blocks.find(({ cursor, length }) => cursor + length > start);
    if (!block || block.cursor >= before) return undefined;
    const from = Math.max(start, block.cursor);
    const next = Math.min(from + maxBytes, block.cursor + block.length, before);
    const bytes = Uint8Array.from(block.bytes.subarray(from - block.cursor, next - block.cursor));
    return { bytes, from, next, dropped: from - asked };
  }

  /** The first blocks, at least one and at most `most`, whose records fit into `maxBytes`. */
  take(most: number, maxBytes: number): readonly Block[] {
    let bytes = 0;
    let count = 0;
    for (const block of this.#blocks.slice(0, most)) {
      bytes += HEADER_BYTES + block.length;
      if (count > 0 && bytes > maxBytes) break;
      count += 1;
    }
    this.#taken = count;
    return this.#blocks.slice(0, count);
  }

  /** Removes the blocks that were taken. */
  drop(): void {
    for (const { bytes } of this.#blocks.splice(0, this.#taken)) {
      this.#memoryBytes -= bytes.length;
      if (bytes.length === MAX_BLOCK_BYTES && spare.length < MOST_SPARE) spare.push(bytes);
    }
    this.#taken = 0;
  }

  /** Returns how many of `bytes` were added to the last block. */
  #fill(cursor: Cursor, bytes: Uint8Array, origin: Origin): number {
    const { last } = this;
    const isOpen = last?.origin === origin && last.cursor + last.length === cursor && this.count > this.#taken;
    const block = isOpen && last.length < MAX_BLOCK_BYTES ? last : this.#startBlock(cursor, origin);
    const length = Math.min(bytes.length, MAX_BLOCK_BYTES - block.length);
    this.#makeRoom(block, block.length + length);
    block.bytes.set(bytes.subarray(0, length), block.length);
    block.length += length;
    return length;
  }

  /** After a full block, the next one will probably be full, too. */
  #startBlock(cursor: Cursor, origin: Origin): Block {
    const isFlood = this.last?.length === MAX_BLOCK_BYTES;
    const block = {
      cursor,
      origin,
      bytes: isFlood ? fullBuffer() : Buffer.allocUnsafeSlow(FIRST_BLOCK_BYTES),
      length: 0,
    };
    this.#blocks.push(block);
    this.#memoryBytes += block.bytes.length;
    return block;
  }

  #makeRoom(block: Block, needed: number): void {
    let size = block.bytes.length;
    while (size < needed) size = Math.min(size * 2, MAX_BLOCK_BYTES);
    if (size === block.bytes.length) return;
    this.#memoryBytes += size - block.bytes.length;
    const grown = size === MAX_BLOCK_BYTES ? fullBuffer() : Buffer.allocUnsafeSlow(size);
    grown.set(block.bytes.subarray(0, block.length));
    block.bytes = grown;
  }
}

function fullBuffer(): Buffer {
  return spare.pop() ?? Buffer.allocUnsafeSlow(MAX_BLOCK_BYTES);
}
