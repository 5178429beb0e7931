/** Completion scripts for three shells, from the table of commands. Pure. */

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type ShellName = (typeof SHELLS)[number];

/** What completion offers after a command. */
export interface CommandWords {
  readonly name: string;
  readonly description: string;
  readonly flags: readonly string[];
  /** The possible values of its first argument; empty if it may be anything. */
  readonly choices: readonly string[];
  readonly takesSession: boolean;
}

export function isShell(name: string): name is ShellName {
  return SHELLS.some((shell) => shell === name);
}

export function completionFor(shell: ShellName, commands: readonly CommandWords[]): string {
  switch (shell) {
    case "bash":
      return bashScript(commands);
    case "zsh":
      return zshScript(commands);
    case "fish":
      return fishScript(commands);
  }
}

function bashScript(commands: readonly CommandWords[]): string {
  return `# limpet: completion for bash
_limpet() {
  local word="\${COMP_WORDS[COMP_CWORD]}" flags="" choices="" sessions=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(" ")} help" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) flags="${flagWords(command)}"${choiceWords(command, '"')}${command.takesSession ? " sessions=1" : ""} ;;`).join("\n")}
    help) choices="${commands.map(({ name }) => name).join(" ")}" ;;
  esac
  if [[ "$word" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags --help" -- "$word"))
  elif [ -n "$choices" ]; then
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
  elif [ -n "$sessions" ]; then
    COMPREPLY=($(compgen -W "$(limpet completion ids 2>/dev/null)" -- "$word"))
  else
    COMPREPLY=($(compgen -f -- "$word"))
  fi
}
complete -F _limpet limpet
`;
}

function zshScript(commands: readonly CommandWords[]): string {
  return `# limpet: completion for zsh
_limpet() {
  local -a names flags choices
  names=(
${commands.map(({ name, description }) => `    ${quoted(`${name}:${description}`)}`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  local sessions=""
  case "\${words[2]}" in
${commands.map((command) => `    ${command.name}) flags=(${flagWords(command)})${choiceWords(command, "()")}${command.takesSession ? " sessions=1" : ""} ;;`).join("\n")}
    help) choices=(${commands.map(({ name }) => name).join(" ")}) ;;
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    compadd -- $flags --help
  elif (( $#choices )); then
    compadd -- $choices
  elif [[ -n "$sessions" ]]; then
    compadd -- \${(f)"$(limpet completion ids 2>/dev/null)"}
  else
    _files
  fi
}
compdef _limpet limpet
`;
}

function fishScript(commands: readonly CommandWords[]): string {
  const names = commands.map(({ name }) => name).join(" ");
  const lines = commands.flatMap(({ name, description, flags, choices, takesSession }) => [
    `complete -c limpet -f -n "not __fish_seen_subcommand_from ${names}" -a ${name} -d ${quoted(description)}`,
    ...flags.map((flag) => `complete -c limpet -n "__fish_seen_subcommand_from ${name}" -l ${flag}`),
    ...(choices.length > 0
      ? [`complete -c limpet -f -n "__fish_seen_subcommand_from ${name}" -a "${choices.join(" ")}"`]
      : []),
    ...(takesSession
      ? [`complete -c limpet -f -n "__fish_seen_subcommand_from ${name}" -a "(limpet completion ids 2>/dev/null)"`]
      : []),
  ]);
  return `# limpet: completion for fish\n${lines.join("\n")}\n`;
}

function flagWords({ flags }: CommandWords): string {
  return flags.map((flag) => `--${flag}`).join(" ");
}

/** Written as a string or a list, depending on the shell; empty if there are no choices. */
function choiceWords({ choices }: CommandWords, [open = "", close = open]: string): string {
  return choices.length === 0 ? "" : ` choices=${open}${choices.join(" ")}${close}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
