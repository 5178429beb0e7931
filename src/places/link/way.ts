/** A way to run a command at a place. */
export interface Way {
  /** The command to run on this machine. `nonce` is for the bootstrap script. */
  argvFor(nonce: string): readonly string[];
  /** The working directory of the command. Default: that of this process. */
  readonly cwd?: string;
  /** The command uses a connection that another command has opened. */
  readonly isShared: boolean;
  /** Call if the connection does not answer. The next way opens another one. */
  readonly onDead?: () => void;
}
