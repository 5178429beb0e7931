/** The output of a session over a link that can break: the next link continues where the last one ended. */
import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted } from "../../base/async/until-aborted.ts";
import type { Cursor, Page } from "../../base/cursor.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { LinkRules } from "./link-rules.ts";

type Output = SessionService["output"];

/** Reading changes nothing, so another host may continue: it has the journals of the previous one. */
export function resumedOutput(output: Output, { pausesMs }: LinkRules): Output {
  return (key, options) => resume(key, options);

  async function* resume(...[key, options]: Parameters<Output>): AsyncGenerator<Page, void, undefined> {
    let from: Cursor | undefined = options.from;
    for (let tries = 0; ; tries += 1) {
      try {
        for await (const page of output(key, { ...options, ...(from === undefined ? {} : { from }) })) {
          tries = 0;
          from = page.next;
          yield page;
        }
        return;
      } catch (error) {
        const pauseMs = pausesMs[tries];
        if (!isLinkError(error) || pauseMs === undefined || options.signal?.aborted) throw error;
        await untilAborted(sleep(pauseMs), options.signal);
      }
    }
  }
}

function isLinkError(error: unknown): boolean {
  return error instanceof LimpetError && (error.code === "LINK_LOST" || error.code === "PLACE_UNREACHABLE");
}
