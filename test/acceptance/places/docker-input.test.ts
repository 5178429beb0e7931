/** Typing into containers of a real Docker engine. */
import { testInput } from "./input-suite.ts";

testInput("docker");
