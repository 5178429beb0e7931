import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { skipWithout } from "../../../test/support/needs.ts";
import { outputHas } from "../../../test/support/sessions.ts";
import { open } from "../../../test/support/watching.ts";
import { freeOwnLock } from "./free-own-lock.ts";

skipWithout("python3");

/** Waits for a lock as the C library does. */
const WAITER = `
import ctypes, platform, sys, threading
value, threads = int(sys.argv[1]), int(sys.argv[2])
if threads > 1: threading.Thread(target=threading.Event().wait, daemon=True).start()
futex = 98 if platform.machine() == "aarch64" else 202
lock = ctypes.c_uint32(value)
while lock.value == value: ctypes.CDLL(None).syscall(futex, ctypes.byref(lock), 0x80, value, None)
print("free")
`;

async function openWaiter({ value = 2, threads = 1 }) {
  const session = await open({ program: "python3", args: ["-c", WAITER, `${value}`, `${threads}`] });
  const pid = session.pid ?? 0;
  await expect.poll(() => readFileSync(`/proc/${pid}/syscall`, "latin1")).toMatch(` 0x80 0x${value} 0x0 `);
  return { session, pid };
}

test("a process that waits for a lock of its own goes on once it is freed", async () => {
  const { session, pid } = await openWaiter({});

  const isFreed = freeOwnLock(pid);

  expect(isFreed).toBe(true);
  await outputHas(session, "free");
  expect(freeOwnLock(pid)).toBe(false);
});

test.each([{ threads: 2 }, { value: 1 }])("a wait that may end is left alone: %o", async (waiter) => {
  const { session, pid } = await openWaiter(waiter);

  const isFreed = freeOwnLock(pid);

  expect(isFreed).toBe(false);
  expect(session.exit).toBeUndefined();
});
