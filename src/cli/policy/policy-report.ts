/** What an action of `limpet policy` prints, for people and for scripts. */
export interface PolicyReport {
  readonly text: string;
  readonly json: unknown;
  readonly exitCode: number;
}

/** Where the policy is, and for which directory. */
export interface PolicySettings {
  readonly userFile: string;
  readonly projectFile: string;
  readonly cwd: string;
  /** Where other agents keep their configuration. */
  readonly claudeHome: string;
  readonly codexHome: string;
}
