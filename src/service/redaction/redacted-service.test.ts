import { expect, test } from "vitest";
import { LimpetError } from "../../base/limpet-error.ts";
import { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import type { SessionService } from "../session-service.ts";
import { redactedService } from "./redacted-service.ts";

const SECRET = "hunter2-Xy";
const MASKS = "**********";

function serving(methods: object): SessionService {
  const known = new KnownSecrets();
  known.add(SECRET);
  return redactedService(methods as SessionService, known);
}

test("every text of an answer is redacted, and nothing else changes", async () => {
  const bytes = Buffer.from(SECRET);
  const answer = {
    id: 7,
    name: SECRET,
    deep: [{ texts: ["a", `b ${SECRET}`] }],
    bytes,
    receipt: { requestId: SECRET },
  };
  const service = serving({ find: async () => answer });

  expect(await service.find(7)).toEqual({
    ...answer,
    name: MASKS,
    deep: [{ texts: ["a", `b ${MASKS}`] }],
  });
});

test("an answer without a secret is the same object", async () => {
  const answer = { id: 7, list: [{ text: "plain" }] };

  expect(await serving({ find: async () => answer }).find(7)).toBe(answer);
});

test("streams are redacted, and closed when their reader leaves", async () => {
  let isClosed = false;
  async function* events() {
    try {
      yield { text: SECRET };
      yield { text: "never read" };
    } finally {
      isClosed = true;
    }
  }

  for await (const value of serving({ events }).events({})) {
    expect(value).toEqual({ text: MASKS });
    break;
  }

  expect(isClosed).toBe(true);
});

test("an error keeps its code and loses the secret", async () => {
  const service = serving({
    find: async () => {
      throw new LimpetError("SESSION_NOT_FOUND", `No session "${SECRET}".`, { sessionId: 3 });
    },
  });

  await expect(service.find(SECRET)).rejects.toMatchObject({
    code: "SESSION_NOT_FOUND",
    message: `No session "${MASKS}".`,
    sessionId: 3,
  });
});

test("the reason of an abort stays what it is", async () => {
  const reason = Symbol("reason");

  await expect(serving({ running: () => Promise.reject(reason) }).running()).rejects.toBe(reason);
});
