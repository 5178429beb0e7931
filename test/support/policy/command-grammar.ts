/** Random lines of bash: valid ones from a grammar, and the same with a few characters changed. */

type Random = (below: number) => number;

/** The same numbers in each run, so that a failure can be reproduced. */
export function randomFrom(seed: number): Random {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Programs that exist in the test, besides the wrappers: each word that a mistake could take for a program is one. */
export const PROGRAMS: readonly string[] = ["rm", "ls", "foo", "bar", "git"];
export const WORDS: readonly string[] = ["a", "b", "x", "y", "in", "E", "1", "a=1", "-n", "k", "EXIT", "q q"];

const JUNK: readonly string[] = [
  ..."'\"`$(){};&|\n\\#! <>[]=*~\t\r",
  ..."<< (( )) [[ ]] $( ${ $' ;; <( @( then do esac fi time coproc function".split(" "),
];

export class CommandGrammar {
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** One line; every third is damaged, unless it has a loop, which could lose its end. */
  line(): string {
    const line = this.#list(3);
    const isDamaged = this.#random(3) === 0 && !/while|for|coproc/.test(line);
    return isDamaged ? this.#damage(line) : line;
  }

  #pick<T>(choices: readonly T[]): T {
    return choices[this.#random(choices.length)] as T;
  }

  #damage(line: string): string {
    let damaged = line;
    for (let count = 1 + this.#random(3); count > 0; count -= 1) {
      const at = this.#random(damaged.length + 1);
      const removed = this.#random(3);
      damaged = damaged.slice(0, at) + (this.#random(4) === 0 ? "" : this.#pick(JUNK)) + damaged.slice(at + removed);
    }
    return damaged;
  }

  #list(depth: number): string {
    const first = this.#command(depth);
    if (this.#random(3) > 0) return first;
    return `${first}${this.#pick(["; ", " && ", " || ", " | ", " & ", "\n", " |& ", ";", "&&", "; # a\n", " \\\n; "])}${this.#command(depth)}`;
  }

  #command(depth: number): string {
    if (depth <= 0) return this.#simple(0);
    const inner = () => this.#list(depth - 1);
    const makers: readonly (() => string)[] = [
      ...Array.from({ length: 14 }, () => () => this.#simple(depth - 1)),
      () => `{ ${inner()}; }`,
      () => `( ${inner()} )`,
      () => `if ${inner()}; then ${inner()}; else ${inner()}; fi`,
      () => `for v in ${this.#word(depth - 1)} b; do ${inner()}; done`,
      () => `while ${inner()}; do ${inner()}; break; done`,
      () => `case ${this.#word(depth - 1)} in ${this.#word(0)}|*) ${inner()};; esac`,
      () => `! ${this.#simple(depth - 1)}`,
      () => `time ${this.#simple(depth - 1)}`,
      () => `coproc ${this.#simple(depth - 1)}`,
      () => `f() { ${inner()}; }; f`,
      () => `function ${this.#pick(PROGRAMS)} { ${inner()}; }`,
      () => `[[ ${this.#word(depth - 1)} ${this.#pick(["==", "=~", "-eq", "<", "-nt"])} ${this.#word(depth - 1)} ]]`,
      () => `(( ${this.#pick(["1", "v", "a[$(rm x)]", "v=1"])} ))`,
      () => `for ((i=0;i<1;i++)); do ${inner()}; done`,
      () => this.#wrapped(depth),
      () => this.#wrapped(depth),
      () => this.#hidden(depth),
      () => this.#heredoc(depth),
      () => this.#heredoc(depth),
    ];
    return this.#pick(makers)();
  }

  /** With delimiters, ends and neighbours of all kinds, some of which bash reads to the end of the line. */
  #heredoc(depth: number): string {
    const start = this.#pick(["E", "'E'", '"E"', "\\E", "E'F'", "$E", "-E", "- E", " E", "-'E'", '"E F"', "E\\\n"]);
    const bodies = "a|$(rm x)|`ls`|'|\"|E | E|\tE|EF|E F|$E|\\$(rm x)|a\\|E)|${v:-$(foo)}|#|)".split("|");
    const body = Array.from({ length: this.#random(3) }, () => this.#pick(bodies)).join("\n");
    const end = this.#pick([
      "\nE\n",
      "\nE\n",
      "\nE\n",
      "\nEF\n",
      "\nE",
      "\n\tE\n",
      "\nE F\n",
      "\nE;\n",
      "\n$E\n",
      "\nE)\n",
      "",
    ]);
    const rest = this.#pick(["", "", " | foo", "; ls", " && bar", " <<A", " # a", ")"]);
    const text = `cat <<${start}${rest}\n${body}${end}`;
    const more = this.#random(2) ? this.#simple(0) : "";
    return this.#pick([
      `${text}${more}`,
      `echo $(${text})${more}`,
      `( ${text})\n${more}`,
      `echo "$(${text})"`,
      `{ ${text}}; ${this.#list(depth - 2)}`,
      `\`${text}\``,
    ]);
  }

  #wrapped(depth: number): string {
    const simple = () => this.#simple(depth - 1);
    const quoted = () => `'${this.#list(depth - 1).replaceAll("'", `'\\''`)}'`;
    const makers: readonly (() => string)[] = [
      () => `env ${simple()}`,
      () => `env A=1 ${simple()}`,
      () => `nice -n 1 ${simple()}`,
      () => `nohup ${simple()}`,
      () => `timeout 5 ${simple()}`,
      () => `command ${simple()}`,
      () => `builtin ${simple()}`,
      () => `exec ${simple()}`,
      () => `echo a | xargs ${simple()}`,
      () => `find . -maxdepth 0 -exec ${this.#pick(PROGRAMS)} {} \\;`,
      () => `find . -maxdepth 0 -exec ${simple()} \\;`,
      () => `bash -c ${quoted()}`,
      () => `sh -c ${quoted()}`,
      () => `bash <<< ${quoted()}`,
      () => `eval ${quoted()}`,
      () => `eval ${simple()}`,
      () => `trap ${quoted()} EXIT`,
      () => `alias ls=${quoted()}`,
      () => `source /dev/stdin <<< ${quoted()}`,
      () => `bash -c ${quoted()} _ rm x`,
    ];
    return this.#pick(makers)();
  }

  /** Commands in values, which some expansions evaluate. */
  #hidden(depth: number): string {
    const code = `a[$(${this.#simple(depth - 2).replaceAll("'", '"')})]`;
    const use = `echo $((v)) % ((v)) % let v % [[ v -eq 0 ]] % echo \${!v} % echo \${v@P} % [ -v $v ] % y[v]=1 %
      echo \${y[v]} % declare -i z=v % unset $v % printf -v $v x % read $v <<< x % echo \${v:v} % RANDOM=$v % OPTIND=$v % for SECONDS in $v; do :; done % export OPTIND=$v % $v`.split(
      / %\s+/,
    );
    return `v='${code}'; ${this.#pick(use)}`;
  }

  #simple(depth: number): string {
    const assigned = this.#random(8) === 0 ? `${this.#pick(["v", "A", "LANG", "IFS"])}=${this.#word(depth)} ` : "";
    const words = Array.from({ length: this.#random(3) }, () => this.#word(depth)).join(" ");
    const redirected = this.#random(6) === 0 ? ` ${this.#redirection(depth)}` : "";
    return `${assigned}${this.#program(depth)} ${words}${redirected}`;
  }

  #redirection(depth: number): string {
    return this.#pick([
      "> /dev/null",
      "2>&1",
      "< /dev/null",
      `<<< ${this.#word(depth)}`,
      `< <(${this.#simple(0)})`,
      `> >(${this.#simple(0)})`,
    ]);
  }

  #program(depth: number): string {
    const name = this.#pick(PROGRAMS);
    const [first = "", rest = ""] = [name.slice(0, 1), name.slice(1)];
    const forms = [
      `"${name}"`,
      `'${name}'`,
      `\\${name}`,
      `${first}''${rest}`,
      `${first}"${rest}"`,
      `$'\\x${first.charCodeAt(0).toString(16)}'${rest}`,
      `${first}\\\n${rest}`,
      `$v`,
      `\${v:-${name}}`,
      `$(echo ${name})`,
      `{${name},x}`,
      `${name}\${IFS}x`,
      `./bin/${name}`,
      `${first}*`,
      `${first}[${rest}]`,
      `${first}$(${this.#random(2) ? "ls" : ":"})${rest}`,
      `v=${name}; $v`,
      "echo",
      "echo",
      "echo",
      "true",
      "cat",
      "printf",
    ];
    return this.#random(2) === 0 || depth < 0 ? name : this.#pick(forms);
  }

  #word(depth: number): string {
    const plain = [
      ...WORDS.slice(0, -1),
      "'q q'",
      '"d d"',
      "\\e",
      "$'f\\n'",
      "$v",
      '"$v"',
      "${v:-a}",
      "$((1+1))",
      "{a,b}",
      "*",
      "~",
      "a\"b\"'c'",
      "${#v}",
      "$?",
      "[a]",
      "a#b",
    ];
    if (depth <= 0 || this.#random(2) === 0) return this.#pick(plain);
    const inner = () => this.#list(depth - 1);
    return this.#pick<() => string>([
      () => `$(${inner()})`,
      () => `"$(${inner()})"`,
      () => `\`${this.#simple(0).replaceAll("`", "")}\``,
      () => `<(${inner()})`,
      () => `\${v:-$(${inner()})}`,
      () => `\${v/a/$(${inner()})}`,
      () => `$((a[$(${this.#simple(0)})]))`,
      () => `{a,$(${inner()})}`,
      () => `"a \${v:-\`${this.#simple(0).replaceAll("`", "")}\`}"`,
      () => `\${ ${inner()}; }`,
      () => `$[ $(${this.#simple(0)}) ]`,
      () => `@(a|$(${this.#simple(0)}))`,
    ])();
  }
}
