/** The only file that imports the library for command lines. */
export { type ArgsDef, type CommandDef, defineCommand, renderUsage, runCommand } from "citty";
