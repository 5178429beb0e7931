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
    `${say} no-node$o"`,
  ].join(" ");
}

/** For a login shell: sh, bash, zsh, csh, tcsh, fish and ksh all read it as one word. */
export function quotedForAnyShell(script: string): string {
  return `exec /bin/sh -c '${script}'`;
}
