/**
 * The script that a place runs first. It finds Node, which then runs the program that the client sends: `far-boot`.
 *
 * The script is passed to a login shell of any kind as one word in single quotes. So it contains no quote, backslash,
 * exclamation mark or line break: csh and fish treat these specially inside single quotes. It prints lines that begin
 * with `prefaceOf(nonce)`. That prefix does not occur in the script itself, so a shell that prints its commands does
 * not produce such a line.
 */

/** Common locations of Node that the PATH of a shell without a terminal may not contain. */
const KNOWN_NODES = [
  '"$(command -v node)"',
  '"$(command -v nodejs)"',
  "/usr/local/bin/node",
  "/usr/bin/node",
  "/opt/node/bin/node",
  '"$HOME"/.local/bin/node',
  '"$HOME"/.volta/bin/node',
  '"$HOME"/.nvm/versions/node/*/bin/node',
  '"$HOME"/.local/share/fnm/node-versions/*/installation/bin/node',
  '"$HOME"/.asdf/installs/nodejs/*/bin/node',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: For the shell.
  '"${XDG_DATA_HOME:-$HOME/.local/share}"/limpet/node/*/node',
];

/** Versions that limpet does not support. It must agree with `engines` in package.json. */
const OLD = "v?.*|v1?.*|v20.?.*|v20.1[0-4].*|v21.*|v22.[01].*";

/** Runs the first line of stdin, which is in base64. The client sends nothing more until the program answers. */
const LOADER = [
  "const f=require(process.argv[1]),b=Buffer.alloc(65536),a=[];",
  "for(;;){let n=0;",
  "try{n=f.readSync(0,b)}catch(e){if(e.errno+11)throw e;Atomics.wait(new Int32Array(new SharedArrayBuffer(4)),0,0,5);continue}",
  "if(n<1)process.exit(1);",
  "a.push(Buffer.from(b.subarray(0,n)));",
  "if(b[n-1]==10)break}",
  "new Function(process.argv[4],Buffer.from(Buffer.concat(a).toString(),process.argv[2]).toString())(require)",
].join("");

/** Prints the SHA-256 of the Node that runs it. */
const HASHER = [
  "require(process.argv[1]).createHash(process.argv[2])",
  ".update(require(process.argv[3]).readFileSync(process.execPath)).digest(process.argv[4])",
].join("");

/** The prefix of the lines that the bootstrap prints. */
export function prefaceOf(nonce: string): string {
  return `limpet-${nonce} `;
}

/** `nonce`: letters and digits. */
export function bootstrapScript(nonce: string): string {
  const say = 'echo "limpet-$m';
  return [
    `umask 077; m=${nonce}; o=; echo; ${say} begin";`,
    `for n in ${KNOWN_NODES.join(" ")}; do`,
    '[ -x "$n" ] || continue;',
    'v=$("$n" -v </dev/null 2>/dev/null) || continue;',
    `case $v in ${OLD}) o="$o $v"; continue;; v[2-9]?.*) ;; *) continue;; esac;`,
    `exec "$n" -e "${LOADER}" fs base64 "$m" require;`,
    "done;",
    // Without Node: prints facts about the machine, and stores a Node if the client sends one.
    "l=none; z=cat; for f in /lib/ld-musl-*; do [ -e $f ] && l=musl; done;",
    "for f in /lib64/ld-linux-* /lib/ld-linux-*; do [ -e $f ] && l=glibc; done;",
    "command -v gzip >/dev/null && z=gzip; k=$(uname -m 2>/dev/null || echo unknown);",
    `${say} no-node $k $l $z$o"; read -r w; read -r w c s z; [ "$w" = bring ] || exit 0;`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: For the shell.
    'd="${XDG_DATA_HOME:-$HOME/.local/share}"/limpet/node/$s; n=$d/new.$$;',
    `no() { ${say} failed-node $*"; rm -f "$n"; exit 1; };`,
    'mkdir -p "$d" || no cannot create "$d";',
    'if [ "$z" = gzip ]; then head -c "$c" | gzip -dc; else head -c "$c"; fi >"$n" || no cannot write "$n";',
    'chmod 700 "$n"; v=$("$n" -v 2>&1) || no it does not run: $v;',
    `[ "$("$n" -p "${HASHER}" crypto sha256 fs hex)" = "$s" ] || no it arrived damaged;`,
    `mv "$n" "$d/node" || no cannot move it; ${say} brought";`,
    `exec "$d/node" -e "${LOADER}" fs base64 "$m" require`,
  ].join(" ");
}

/** Quotes the script for a login shell. sh, bash, zsh, csh, tcsh, fish and ksh all read it as one word. */
export function quotedForAnyShell(script: string): string {
  return `exec /bin/sh -c '${script}'`;
}
