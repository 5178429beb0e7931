import fc from "fast-check";
import { expect, test } from "vitest";
import { type DiskRecord, decodeRecord, encodeRecord, HEADER_BYTES, MAX_RECORD_BYTES } from "./disk-record.ts";

const record = fc.record({
  cursor: fc.maxSafeNat(),
  origin: fc.constantFrom("terminal", "stdout", "stderr"),
  bytes: fc.uint8Array({ maxLength: 300 }),
}) as fc.Arbitrary<DiskRecord>;

function plain(decoded: DiskRecord | undefined) {
  return decoded && { ...decoded, bytes: [...decoded.bytes] };
}

test("an encoded record is decoded at any position in a file", () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 5 }), (records) => {
      const file = Buffer.concat(records.map(encodeRecord));
      let at = 0;
      for (const each of records) {
        expect(plain(decodeRecord(file, at))).toEqual(plain(each));
        at += HEADER_BYTES + each.bytes.length;
      }
      expect(decodeRecord(file, at)).toBeUndefined();
    }),
  );
});

test("a truncated record is rejected", () => {
  fc.assert(
    fc.property(record, fc.nat(), (each, cut) => {
      const whole = encodeRecord(each);

      expect(decodeRecord(whole.subarray(0, cut % whole.length), 0)).toBeUndefined();
    }),
  );
});

test("a record with one flipped bit is rejected", () => {
  fc.assert(
    fc.property(record, fc.nat(), fc.nat(7), (each, place, bit) => {
      const broken = Buffer.from(encodeRecord(each));
      const at = place % broken.length;
      broken[at] = (broken[at] ?? 0) ^ (1 << bit);

      // A length that shrank is followed by a checksum that does not fit.
      expect(decodeRecord(broken, 0)).toBeUndefined();
    }),
  );
});

test("random bytes are neither a record nor an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      expect(decodeRecord(Buffer.from(bytes), 0)).toBeUndefined();
    }),
  );
});

test("a length beyond the bound is refused before anything is read", () => {
  const file = Buffer.alloc(MAX_RECORD_BYTES + HEADER_BYTES + 1);
  file.writeUInt32LE(MAX_RECORD_BYTES + 1, 0);

  expect(decodeRecord(file, 0)).toBeUndefined();
});
