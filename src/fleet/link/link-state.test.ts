import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeFrame, encodeFrame, type Frame } from "./frame.ts";
import { type LinkEffect, type LinkEvent, type LinkState, newLink, roomOf, stepLink } from "./link-state.ts";

const WINDOW = 100;

/** One side, and what it has sent and delivered. */
class Side {
  state: LinkState = newLink(WINDOW);
  readonly sent: Frame[] = [];
  readonly delivered: number[] = [];
  lost: string | undefined;

  apply(event: LinkEvent): readonly LinkEffect[] {
    const { state, effects } = stepLink(this.state, event);
    this.state = state;
    for (const effect of effects) {
      if (effect.type === "send") this.sent.push(effect.frame);
      if (effect.type === "deliver") this.delivered.push(...effect.data);
      if (effect.type === "lost") this.lost = effect.why;
    }
    return effects;
  }

  write(...bytes: number[]): void {
    this.apply({ type: "written", data: Uint8Array.from(bytes) });
  }

  /** Takes the oldest message on its way from the other side. */
  takeFrom(other: Side): void {
    const frame = other.sent.shift();
    if (frame) this.apply({ type: "received", frame: decodeFrame(encodeFrame(frame)) });
  }
}

test("data arrives once and in order, within the window, however writes, reads and ticks interleave", () => {
  const action = fc.oneof(
    fc.record({ act: fc.constant("write" as const), bytes: fc.integer({ min: 1, max: 60 }) }),
    fc.record({ act: fc.constantFrom("carry" as const, "carry back" as const, "tick" as const) }),
    fc.record({ act: fc.constant("consume" as const), bytes: fc.integer({ min: 1, max: 60 }) }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 200 }), (actions) => {
      const [writer, reader] = [new Side(), new Side()];
      let written = 0;
      for (const each of actions) {
        if (each.act === "write") {
          const count = Math.min(each.bytes, roomOf(writer.state));
          if (count > 0) writer.write(...Array.from({ length: count }, () => written++ % 251));
        } else if (each.act === "carry") reader.takeFrom(writer);
        else if (each.act === "carry back") writer.takeFrom(reader);
        else if (each.act === "consume") {
          const unread = reader.state.receivedBytes - reader.state.consumedBytes;
          if (unread > 0) reader.apply({ type: "consumed", bytes: Math.min(unread, each.bytes) });
        } else {
          // A tick finds something heard: silence is another test.
          for (const side of [writer, reader]) {
            side.state = { ...side.state, hasHeard: true };
            side.apply({ type: "tick" });
          }
        }
        expect(writer.state.sentBytes - reader.state.consumedBytes).toBeLessThanOrEqual(WINDOW);
      }
      while (writer.sent.length > 0) reader.takeFrom(writer);

      expect([writer.lost, reader.lost]).toEqual([undefined, undefined]);
      expect(reader.delivered).toEqual(Array.from({ length: written }, (_, at) => at % 251));
    }),
  );
});

test("a writer whose window is full goes on when the reader has consumed a quarter of it", () => {
  const [writer, reader] = [new Side(), new Side()];
  writer.write(...Array.from({ length: WINDOW }, () => 1));
  expect(roomOf(writer.state)).toBe(0);
  reader.takeFrom(writer);

  reader.apply({ type: "consumed", bytes: 24 });
  expect(reader.sent).toEqual([]);
  reader.apply({ type: "consumed", bytes: 1 });
  writer.takeFrom(reader);

  expect(roomOf(writer.state)).toBe(25);
});

test.each<[string, (writer: Side) => unknown, string]>([
  ["that is missing", (writer) => writer.sent.splice(1, 1), "a message got lost"],
  ["that comes twice", (writer) => writer.sent.splice(1, 0, writer.sent[0] as Frame), "a message got lost"],
  ["that was overtaken", (writer) => writer.sent.reverse(), "a message got lost"],
])("a message %s ends the link as lost, and nothing after it is delivered", (_, disturb, why) => {
  const [writer, reader] = [new Side(), new Side()];
  for (const byte of [1, 2, 3]) writer.write(byte);

  disturb(writer);
  while (writer.sent.length > 0) reader.takeFrom(writer);

  expect(reader.lost).toBe(why);
  expect([[], [1]]).toContainEqual(reader.delivered);
  expect(reader.state.phase).toBe("lost");
});

test("a sender that ignores the window loses the link", () => {
  const reader = new Side();
  const data = new Uint8Array(WINDOW);
  reader.apply({ type: "received", frame: { kind: "data", sequence: 0, consumed: 0, data } });
  reader.apply({ type: "received", frame: { kind: "data", sequence: 1, consumed: 0, data } });

  expect(reader.lost).toBe("the other side sent more than the window");
});

test("the other side is gone after three ticks without a message, and a quiet side sends a sign at each", () => {
  const side = new Side();
  const ticks = [1, 2, 3, 4].map(() => side.apply({ type: "tick" }).map(({ type }) => type));

  expect(ticks).toEqual([[], ["send"], ["send"], ["send", "lost"]]);
});

test("a side that has given the link up says so", () => {
  const [one, other] = [new Side(), new Side()];
  one.apply({ type: "give up" });
  other.takeFrom(one);

  expect(other.lost).toBe("the other side has closed it");
});

test("any bytes are a message or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const side = new Side();
      side.apply({ type: "received", frame: decodeFrame(bytes) });
      expect(side.delivered.length).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
