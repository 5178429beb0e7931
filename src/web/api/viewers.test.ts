import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { SizeLoan } from "../../service/control/control-requests.ts";
import type { SessionService } from "../../service/session-service.ts";
import { Viewers } from "./viewers.ts";

const SIZE = { cols: 60, rows: 20 };

function lending() {
  const loans: (SizeLoan & { readonly key: unknown })[] = [];
  const lendSize: SessionService["lendSize"] = async (key, loan) => void loans.push({ key, ...loan });
  return { loans, sessions: { lendSize } as SessionService };
}

async function* stream(until: Promise<void>): AsyncGenerator<number> {
  yield 1;
  await until;
}

test("a size is taken back some time after the page's stream has ended", async () => {
  const { loans, sessions } = lending();
  const viewers = new Viewers(sessions, 1);
  const page = viewers.during("p1", stream(new Promise(() => undefined)));
  await page.next();
  await viewers.resize("p1", "7", SIZE);
  await sleep(10);
  expect(loans).toEqual([{ key: "7", viewer: "web p1", size: SIZE }]);

  await page.return();

  await expect.poll(() => loans.at(-1)).toEqual({ key: "7", viewer: "web p1", size: null });
});

test("a page whose stream broke keeps its size if it comes back", async () => {
  const { loans, sessions } = lending();
  const viewers = new Viewers(sessions, 60_000);
  const [first, second] = [1, 2].map(() => viewers.during("p1", stream(new Promise(() => undefined))));
  await first?.next();
  await viewers.resize("p1", "7", SIZE);

  await first?.return();
  await second?.next();

  expect(loans).toHaveLength(1);
  await second?.return();
});

test("a page that has taken its size back gives nothing back again", async () => {
  const { loans, sessions } = lending();
  const viewers = new Viewers(sessions, 1);

  await viewers.resize("p1", "7", SIZE);
  await viewers.resize("p1", "7", null);
  await sleep(20);

  expect(loans.map(({ size }) => size)).toEqual([SIZE, null]);
});
