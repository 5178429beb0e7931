/**
 * The JSON schemas of the tools' parameters, by name, as the build of the command line knows them: making them takes a
 * tenth of the start of a server. Empty here: then they are made when somebody asks.
 */
export const KNOWN_SCHEMAS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {};
