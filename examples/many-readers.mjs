/** Any number of readers follow one program, each at its own cursor; a slow one holds nobody up. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { openSession } from "limpet/session";

const session = await openSession({
  program: "seq",
  args: ["1", "300000"],
  // Small, so that the reader who comes late finds the middle gone.
  journalBytes: 256 * 1024,
});

try {
  // Both see every byte, in the same order, although they share nothing but the session.
  const [first, second] = await Promise.all([follow("first"), follow("second")]);
  assert.equal(first.digest, second.digest);

  // Who comes after the end still gets what is kept, and is told exactly what is not.
  const late = await follow("late");
  assert.equal(late.bytes + late.dropped, session.endCursor);
} finally {
  await session.close();
}

async function follow(name) {
  const hash = createHash("sha256");
  let bytes = 0;
  let dropped = 0;
  for await (const page of session.output()) {
    hash.update(page.bytes);
    bytes += page.bytes.length;
    dropped += page.dropped;
  }
  console.log(`${name}: ${bytes} bytes read, ${dropped} dropped`);
  return { bytes, dropped, digest: hash.digest("hex") };
}
