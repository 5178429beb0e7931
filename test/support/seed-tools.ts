/** The two tools of the seed, to the letter, in the order of their parameters' names. */
export const SEED_TOOLS = [
  {
    name: "exec_command",
    description: "Execute shell commands on the local machine with streaming output.",
    inputSchema: {
      type: "object",
      properties: {
        cmd: { type: "string", description: "The shell command to execute." },
        login: {
          type: "boolean",
          description: "Whether to run the command as a login shell. Defaults to true.",
        },
        max_output_tokens: { type: "number", description: "The maximum number of tokens to output." },
        shell: { type: "string", description: 'The shell to use. Defaults to "/bin/bash".' },
        yield_time_ms: { type: "number", description: "The maximum time in milliseconds to wait for output." },
      },
      required: ["cmd"],
      additionalProperties: false,
    },
  },
  {
    name: "write_stdin",
    description:
      "Write characters to an exec session's stdin. Returns all stdout+stderr received within yield_time_ms.\n" +
      "Can write control characters (\\u0003 for Ctrl-C), or an empty string to just poll stdout+stderr.",
    inputSchema: {
      type: "object",
      properties: {
        chars: { type: "string", description: "The characters to write to stdin." },
        max_output_tokens: { type: "number", description: "The maximum number of tokens to output." },
        session_id: { type: "number", description: "The ID of the exec_command session." },
        yield_time_ms: {
          type: "number",
          description: "The maximum time in milliseconds to wait for output after writing.",
        },
      },
      required: ["session_id", "chars"],
      additionalProperties: false,
    },
  },
] as const;
