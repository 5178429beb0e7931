/** Containers of a rootless podman as places: an ordinary user sees the programs of its own containers. */
import { expect, test } from "vitest";
import { asRootlessUser } from "../../support/containers/rootless.ts";
import { needs } from "../../support/needs.ts";

test.skipIf(!needs("podman", "busybox", "root", "newuidmap"))(
  "without privileges, it is known what programs wait for, Ctrl+C overtakes input, and nothing is left after close",
  async () => {
    const told = JSON.parse(await asRootlessUser("test/programs/places/uses-rootless-podman.mjs"));

    expect(told).toEqual({
      uid: 54_321,
      output: "out\n0\n",
      exitCode: 3,
      waitingFor: "password",
      by: "search",
      left: [],
      afterClose: 0,
      interrupted: [{ kind: "code", code: 7 }, "INPUT_DISCARDED"],
    });
  },
  180_000,
);
