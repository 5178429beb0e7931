import { expect, test } from "vitest";
import { eventText } from "./event-text.ts";

test("an event is one line of data, whatever it contains", () => {
  expect(eventText({ event: "output", id: "12", data: { text: "a\nb\r\n\ndata: x\u2028" } })).toBe(
    'id: 12\nevent: output\ndata: {"text":"a\\nb\\r\\n\\ndata: x\u2028"}\n\n',
  );
  expect(eventText({ event: "sessions", data: [] })).toBe("event: sessions\ndata: []\n\n");
});

test.each([
  { event: "a\nb", data: 1 },
  { event: "a", id: "1\ndata: evil", data: 1 },
  { event: "a", id: "1\0", data: 1 },
])("%j cannot be sent", (event) => expect(() => eventText(event)).toThrow("one line"));
