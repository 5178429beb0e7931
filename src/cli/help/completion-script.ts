/**
 * Completion scripts for three shells. They ask `limpet completion words -- WORDS…` what can follow, so that all shells
 * offer the same. Each line of the answer is a word, with a tab and a description, or one of `:files`, `:directories`
 * and `:programs`. Pure.
 */

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type ShellName = (typeof SHELLS)[number];

export function isShell(name: string): name is ShellName {
  return SHELLS.some((shell) => shell === name);
}

export function completionFor(shell: ShellName): string {
  return SCRIPTS[shell];
}

const BASH = `# limpet: completion for bash
_limpet() {
  local current="\${COMP_WORDS[COMP_CWORD]}" line word
  COMPREPLY=()
  while IFS= read -r line; do
    case "$line" in
      :files | :directories | :programs)
        local kind=-f
        [ "$line" = :directories ] && kind=-d
        [ "$line" = :programs ] && kind=-c
        [ "$line" = :programs ] || compopt -o filenames 2>/dev/null
        while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen "$kind" -- "$current")
        ;;
      *)
        word="\${line%%$'\\t'*}"
        [[ "$word" == "$current"* ]] && COMPREPLY+=("$(printf %q "$word")")
        ;;
    esac
  done < <(limpet completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _limpet limpet
`;

/** Start files may source it before compinit. Then it registers itself before the first prompt. */
const ZSH = `#compdef limpet
# limpet: completion for zsh
_limpet() {
  local -a lines offers
  local line
  lines=("\${(@f)$(limpet completion words -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      :files) _files ;;
      :directories) _files -/ ;;
      :programs) _command_names ;;
      *) offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done
  (( $#offers )) && _describe limpet offers
}
_limpet_register() {
  (( $+functions[compdef] )) || return 0
  compdef _limpet limpet
  add-zsh-hook -d precmd _limpet_register
}
if [[ "\${funcstack[1]}" == _limpet ]]; then
  _limpet "$@"
else
  autoload -Uz add-zsh-hook
  add-zsh-hook precmd _limpet_register
  _limpet_register
fi
`;

const FISH = `# limpet: completion for fish
function __limpet_offers
    set -l before (commandline -opc)
    set -l current (commandline -ct)
    for line in (limpet completion words -- $before[2..-1] "$current" 2>/dev/null)
        switch "$line"
            case :files
                __fish_complete_path "$current"
            case :directories
                __fish_complete_directories "$current"
            case :programs
                complete -C "$current"
            case '*'
                echo "$line"
        end
    end
end
complete -c limpet -f -a '(__limpet_offers)'
`;

const SCRIPTS: Readonly<Record<ShellName, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
