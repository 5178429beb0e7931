/** A bus that drops, delays or repeats the messages of links, as a test decides. */
import type { Bus } from "../../../src/fleet/nats/bus.ts";

/** How often, and how much later, the n-th message of a link is sent, counted from 0. */
export type Fate = (n: number) => { readonly times: number; readonly delayMs?: number };

export function hostileBus(bus: Bus, fate: Fate): Bus {
  let count = 0;
  return {
    ...bus,
    publish(subject, data) {
      const { times, delayMs = 0 } = subject.includes(".link.") ? fate(count++) : { times: 1 };
      const send = () => {
        for (let time = 0; time < times; time += 1) bus.publish(subject, data);
      };
      if (delayMs === 0) send();
      else setTimeout(send, delayMs);
    },
  };
}
