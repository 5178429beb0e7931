import { expect, test } from "vitest";
import { type Seated, Seats } from "./seats.ts";

/** A client that leaves when it is closed. */
function client(seats: Seats, name: string) {
  const state = { isAbsent: false, isClosed: false };
  const seated: Seated & typeof state = Object.assign(state, {
    close() {
      state.isClosed = true;
      seats.leave(name, seated);
    },
  });
  seats.take(name, seated);
  return seated;
}

test("clients of one token at the same time are numbered", () => {
  const seats = new Seats();

  client(seats, seats.nameFor("alice"));
  client(seats, seats.nameFor("alice"));

  expect([seats.nameFor("alice"), seats.nameFor("bob")]).toEqual(["alice #3", "bob"]);
});

test("a client that has left makes room, and so does one that is absent, which is closed", () => {
  const seats = new Seats();
  const [first, second] = [client(seats, seats.nameFor("alice")), client(seats, seats.nameFor("alice"))];

  first.close();
  expect(seats.nameFor("alice")).toBe("alice");
  client(seats, "alice");
  second.isAbsent = true;

  expect(seats.nameFor("alice")).toBe("alice #2");
  expect(second.isClosed).toBe(true);
});

test("a client that leaves late does not free the seat of the next one", () => {
  const seats = new Seats();
  const first = client(seats, "alice");
  client(seats, "alice");

  first.close();

  expect(seats.nameFor("alice")).toBe("alice #2");
});
