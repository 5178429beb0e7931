/** Access to a session without the tools, in this process or at a place. */
import { ServiceSession } from "../../src/library/service-session.ts";
import { untilExited } from "../../src/service/turn/simple-turns.ts";
import { isAtPlace } from "./places/is-at-place.ts";
import type { Toolbox } from "./tools.ts";

interface Behind {
  write(text: string): Promise<void>;
  /** All that it has printed, without carriage returns. */
  text(): Promise<string>;
  waitsFor(): Promise<string | null>;
  /** Ends its program by SIGTERM. */
  end(): Promise<void>;
}

export function behind(tools: Toolbox, id: number): Behind {
  return isAtPlace() ? behindAtPlace(tools, id) : behindHere(tools, id);
}

function behindHere({ registry }: Toolbox, id: number): Behind {
  const session = registry.get(id);
  return {
    write: async (text) => void (await session.write(text)),
    text: async () => (await session.readText()).text.replaceAll("\r", ""),
    waitsFor: () => session.waitingFor(),
    end: async () => {
      await session.signal("SIGTERM");
      await session.exited;
    },
  };
}

function behindAtPlace({ sessions }: Toolbox, id: number): Behind {
  const session = new ServiceSession(sessions, { id, name: String(id) }, { caller: "nobody", hasReplied: true });
  return {
    write: (text) => sessions.write(id, text),
    text: () => session.text(),
    waitsFor: async () => (await session.status()).waitingFor,
    end: async () => {
      await sessions.signal(id, { signal: "SIGTERM" });
      await untilExited(sessions, id, new AbortController().signal);
    },
  };
}
