/** All that the command line writes to a person, or to a script that reads it. */
import { stripVTControlCharacters } from "node:util";

export function print(text: string): void {
  console.log(process.stdout.isTTY ? text : stripVTControlCharacters(text));
}

export function printError(text: string): void {
  console.error(text);
}
