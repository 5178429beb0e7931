import fc from "fast-check";
import { expect, test } from "vitest";
import { epollFiles, polledFiles, selectedFiles } from "./wait-set.ts";

const POLLIN = 0x1;
const POLLOUT = 0x4;
const POLLHUP = 0x10;
const POLLRDNORM = 0x40;

function pollfds(...entries: readonly (readonly [fd: number, events: number])[]): Buffer {
  const memory = Buffer.alloc(entries.length * 8);
  for (const [index, [fd, events]] of entries.entries()) {
    memory.writeInt32LE(fd, index * 8);
    memory.writeInt16LE(events, index * 8 + 4);
  }
  return memory;
}

test("only polled files with a read event are listed", () => {
  const memory = pollfds([0, POLLIN], [1, POLLOUT], [2, 0], [3, POLLHUP], [-1, POLLIN], [7, POLLRDNORM]);

  expect(polledFiles(memory)).toEqual([0, -1, 7]);
});

test("memory that ends inside an entry is read up to there", () => {
  expect(polledFiles(pollfds([0, POLLIN], [1, POLLIN]).subarray(0, 13))).toEqual([0]);
});

test("any set of files is read back from the bits of select", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(1023)), (files) => {
      const memory = Buffer.alloc(128);
      for (const fd of files) memory.writeUInt8(memory.readUInt8(fd >> 3) | (1 << (fd & 7)), fd >> 3);

      expect(selectedFiles(memory, 1024)).toEqual([...files].sort((one, other) => one - other));
    }),
  );
});

test("files beyond the count of select do not belong to it", () => {
  expect(selectedFiles(Buffer.from([0b1011, 0xff]), 3)).toEqual([0, 1]);
  expect(selectedFiles(Buffer.alloc(0), 64)).toEqual([]);
});

test("only files of an epoll set with a read event are listed", () => {
  const fdinfo = `pos:	0
flags:	02
tfd:        0 events:       19 data:                0  pos:0 ino:6 sdev:1a
tfd:       12 events: 80000001 data:                c  pos:0 ino:4c sdev:f
tfd:       14 events:       18 data:                e  pos:0 ino:4c sdev:f
tfd:       15 events: 20000040 data:                f  pos:0 ino:4c sdev:f
`;

  expect(epollFiles(fdinfo)).toEqual([0, 12, 15]);
  expect(epollFiles("")).toEqual([]);
});
