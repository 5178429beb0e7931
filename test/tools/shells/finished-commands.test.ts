import { expect, test } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { openTools } from "../../support/tools.ts";

guardEveryCase();

const TRIES = process.env["LIMPET_LONG"] ? 500 : 20;

test(`a command that was answered reports its exit code, ${TRIES} of ${TRIES} times, beside a watch`, async () => {
  await using tools = openTools();
  const { structured } = await tools.call("run", { command: "true", shell: "main" });
  const { session_id: id } = structured;
  const codes: unknown[] = [];

  for (let n = 0; n < TRIES; n += 1) {
    const asked = await tools.call("run", { command: `read x && echo "got $x"`, shell: "main" });
    expect(asked.structured).toMatchObject({ running: true, waiting_for: "line" });
    const watched = tools.call("wait_for", { session_ids: [id] }, { caller: "another" });
    const answered = await tools.call("write_stdin", { session_id: id, chars: `${n}\n`, yield_time_ms: 20_000 });
    codes.push(answered.structured["command_exit_code"]);
    expect((await watched).structured["command_exit_code"]).toBe(0);
  }

  expect(codes).toEqual(Array(TRIES).fill(0));
});
