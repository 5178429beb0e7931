/** A bus whose messages of links a test drops, delays or repeats on their way. */
import type { Bus } from "../../../src/fleet/nats/bus.ts";

/** What becomes of the n-th message of a link, counted from 0: it is sent as often as this says, and so much later. */
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
