/** Typing into containers of a real podman. */
import { testInput } from "./input-suite.ts";

testInput("podman");
