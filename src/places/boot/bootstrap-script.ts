/**
 * The script that a place runs first. It finds Node and lets it run the program that the client then sends: `far-boot`.
 *
 * A login shell of any kind passes it on as one quoted word, so it has no quote, backslash, exclamation mark or line
 * break: csh and fish treat these specially inside of single quotes. It prints lines that begin with
 * `prefaceOf(nonce)`, which does not occur in the script itself: a shell that prints its commands cannot be mistaken
 * for the answer.
 */

/** Where Node often is when the PATH of a shell without a terminal does not have it. */
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

/** Versions that limpet does not run on: `engines` of its package.json has the others. */
const OLD = "v?.*|v1?.*|v20.?.*|v20.1[0-4].*|v21.*|v22.[01].*";

/** Runs the first line of stdin, which is in base64. The client sends nothing after it until it is answered. */
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

/** What lines of the bootstrap begin with. */
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
    // Without Node: says what kind of machine it is, and takes a Node if the client sends one.
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

/** For a login shell: sh, bash, zsh, csh, tcsh, fish and ksh all read it as one word. */
export function quotedForAnyShell(script: string): string {
  return `exec /bin/sh -c '${script}'`;
}
