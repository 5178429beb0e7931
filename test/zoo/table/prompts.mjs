/** Programs that ask for one thing: a word, a password, a choice, a yes. */
export const prompts = [
  {
    name: "read -p",
    run: "read -r -p 'Your name: ' name; sleep 0.5; echo \"hello $name\"; read -r -p 'Again? ' again",
    steps: [
      { shows: "Your name: $", waits: "line" },
      { types: "Ada\r", shows: "hello Ada\nAgain\\? $", waits: "line" },
      { types: "no\r", waits: "exit" },
    ],
  },
  {
    name: "select of bash",
    run: 'select x in rose tulip; do sleep 0.6; echo "chose $x"; done',
    steps: [
      { shows: "#\\? $", waits: "line" },
      { types: "2\r", shows: "chose tulip\n.*#\\? $", waits: "line" },
      { types: "\x04", shows: "", waits: "exit" },
    ],
  },
  {
    name: "input() and getpass",
    needs: { python3: "python3" },
    run: [
      "python3",
      "-c",
      "import time, getpass\nn = input('user: ')\ntime.sleep(0.6)\np = getpass.getpass()\ntime.sleep(0.6)\nprint(n, len(p))\ninput()",
    ],
    steps: [
      { shows: "user: $", waits: "line" },
      { types: "ada\r", shows: "Password: $", waits: "password" },
      { types: "tulips\r", shows: "ada 6\n", waits: "line" },
      { types: "\r", waits: "exit" },
    ],
  },
  {
    name: "ssh-keygen",
    needs: { "ssh-keygen": "openssh-client" },
    run: ["ssh-keygen", "-t", "ed25519", "-f", "key"],
    steps: [
      { shows: "Enter passphrase.*: $", waits: "password" },
      { types: "tulips\r", shows: "again: $", waits: "password" },
      { types: "tulips\r", shows: "has been saved", waits: "exit" },
    ],
  },
  {
    name: "openssl",
    needs: { openssl: "openssl" },
    run: ["openssl", "genrsa", "-aes256", "-out", "key", "2048"],
    steps: [
      { shows: "Enter PEM pass phrase:$", waits: "password" },
      { types: "tulips\r", shows: "Verifying - Enter PEM pass phrase:$", waits: "password" },
      { types: "tulips\r", waits: "exit" },
    ],
  },
  {
    name: "openssl req",
    needs: { openssl: "openssl" },
    run: ["openssl", "req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", "key", "-out", "csr"],
    steps: [
      { shows: "Country Name.*:$", waits: "line" },
      { types: "NL\r", shows: "State or Province.*:$", waits: "line" },
      { types: "\r", shows: "Locality.*:$", waits: "line" },
      { types: "\x03", waits: "exit" },
    ],
  },
  {
    name: "su -c",
    run: "su -c 'read -r -p \"word: \" w; sleep 0.6; echo got $w; read -r x' root",
    steps: [
      { shows: "word: $", waits: "line" },
      { types: "tulip\r", shows: "got tulip\n", waits: "line" },
      { types: "\r", waits: "exit" },
    ],
  },
  {
    name: "setsid -w",
    needs: { setsid: "util-linux" },
    run: [
      "setsid",
      "-w",
      "bash",
      "-c",
      "read -r -p 'word: ' w; sleep 0.6; echo got $w; read -rs -p 'secret: ' s; echo",
    ],
    steps: [
      { shows: "word: $", waits: "line" },
      { types: "tulip\r", shows: "got tulip\nsecret: $", waits: "password" },
      { types: "x\r", waits: "exit" },
    ],
  },
  {
    name: "sudo asks another user",
    needs: { sudo: "sudo", setpriv: "util-linux" },
    run: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "sudo", "-k", "true"],
    steps: [
      { shows: "password for nobody: $", waits: "password" },
      { types: "wrong\r", shows: "try again\\..*password for nobody: $", waits: "password" },
      { types: "\x03", waits: "exit" },
    ],
  },
  {
    name: "su asks another user",
    needs: { setpriv: "util-linux" },
    run: ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "su", "-c", "true"],
    steps: [
      { shows: "Password: $", waits: "password" },
      { types: "wrong\r", shows: "failure|incorrect", waits: "exit" },
    ],
  },
  {
    name: "passwd",
    needs: { passwd: "passwd", unshare: "util-linux" },
    run: "exec unshare -m sh -c 'mkdir etc && cp -a /etc/. etc/ && mount --bind etc /etc && exec passwd nobody'",
    steps: [
      { shows: "New password: $", waits: "password" },
      { types: "correct horse battery\r", shows: "Retype new password: $", waits: "password" },
      { types: "else\r", shows: "do not match", waits: "exit" },
    ],
  },
  {
    name: "gpg with pinentry-tty",
    needs: { gpg: "gnupg", "pinentry-tty": "pinentry-tty" },
    env: { GNUPGHOME: "g" },
    files: { "g/gpg-agent.conf": "pinentry-program /usr/bin/pinentry-tty\n", plain: "tulips\n" },
    run: "chmod 700 g; export GNUPGHOME=$PWD/g GPG_TTY=$(tty); gpg -c plain && ls plain.gpg; gpgconf --kill gpg-agent",
    steps: [
      { shows: "Passphrase:\\s*$", waits: "password" },
      { types: "tulips-44-roses\r", shows: "Repeat:\\s*$", waits: "password" },
      { types: "tulips-44-roses\r", shows: "plain\\.gpg\n", waits: "exit" },
    ],
  },
  {
    name: "gpg with pinentry-curses",
    needs: { gpg: "gnupg", "pinentry-curses": "pinentry-curses" },
    files: { "g/gpg-agent.conf": "pinentry-program /usr/bin/pinentry-curses\n", plain: "tulips\n" },
    run: "chmod 700 g; export GNUPGHOME=$PWD/g GPG_TTY=$(tty); gpg -c plain && ls plain.gpg; gpgconf --kill gpg-agent",
    screen: true,
    steps: [
      { shows: "Passphrase:", waits: "key" },
      { types: "tulips-44-roses\r", shows: "re-enter", waits: "key" },
      { types: "tulips-44-roses\r", shows: "plain\\.gpg", waits: "exit" },
    ],
  },
  {
    name: "keytool",
    needs: { keytool: "openjdk-17-jre-headless" },
    isSlow: true,
    run: ["keytool", "-genkeypair", "-alias", "zoo", "-keyalg", "EC", "-keystore", "store"],
    steps: [
      { shows: "Enter keystore password: *$", waits: "password" },
      { types: "tulips\r", shows: "Re-enter new password: *$", waits: "password" },
      { types: "tulips\r", shows: "What is your first and last name\\?.*: *$", waits: "line" },
      { types: "Ada\r", shows: "organizational unit\\?.*: *$", waits: "line" },
      { types: "\x03", waits: "exit" },
    ],
  },
  {
    name: "rm -i",
    files: { one: "", two: "" },
    run: ["rm", "-i", "one", "two"],
    steps: [
      { shows: "'one'\\? $", waits: "line" },
      { types: "y\r", shows: "'two'\\? $", waits: "line" },
      { types: "n\r", waits: "exit" },
    ],
  },
  {
    name: "git add -p",
    needs: { git: "git" },
    run: "git init -q . && git config user.email a@b && git config user.name a && seq 9 >f && git add f && git commit -qm x && seq 2 9 >f && exec git -c interactive.singleKey=false add -p",
    steps: [
      { shows: "Stage this hunk \\[.*\\]\\? $", waits: "line" },
      { types: "?\r", shows: "y - stage this hunk.*\\]\\? $", waits: "line" },
      { types: "y\r", waits: "exit" },
    ],
  },
  {
    name: "git commit with vim",
    needs: { git: "git", vim: "vim" },
    run: "git init -q . && git config user.email a@b && git config user.name a && EDITOR='vim -u NONE' git commit --allow-empty; git log --oneline",
    screen: true,
    steps: [
      { shows: "Please enter the commit message", waits: "key" },
      { types: ["itulip", "\x1b:wq\r"], shows: "tulip", waits: "exit" },
    ],
  },
  {
    name: "git clone with a password",
    needs: { git: "git" },
    with: "http-auth",
    run: "exec git clone http://127.0.0.1:$HTTP_PORT/repo.git",
    steps: [
      { shows: "Username for .*: $", waits: "line" },
      { types: "ada\r", shows: "Password for .*: $", waits: "password" },
      { types: "wrong\r", shows: "Authentication failed", waits: "exit" },
    ],
  },
  {
    name: "apt-get install",
    needs: { "apt-get": "apt" },
    isSlow: true,
    run: "LC_ALL=C exec apt-get -o Debug::NoLocking=1 --download-only install kde-plasma-desktop",
    steps: [
      { shows: "Do you want to continue\\? \\[Y/n\\] $", waits: "line" },
      { types: "n\r", shows: "Abort", waits: "exit" },
    ],
  },
  {
    name: "zip -e",
    needs: { zip: "zip" },
    files: { a: "tulips" },
    run: ["zip", "-e", "a.zip", "a"],
    steps: [
      { shows: "Enter password: $", waits: "password" },
      { types: "x\r", shows: "Verify password: $", waits: "password" },
      { types: "x\r", shows: "adding: a", waits: "exit" },
    ],
  },
  {
    name: "7z",
    needs: { "7z": "p7zip-full" },
    files: { a: "tulips" },
    run: ["7z", "a", "-p", "a.7z", "a"],
    steps: [
      { shows: "Enter password.*:$", waits: "password" },
      { types: "x\r", shows: "Everything is Ok", waits: "exit" },
    ],
  },
  {
    name: "htpasswd",
    needs: { htpasswd: "apache2-utils" },
    run: ["htpasswd", "-c", "file", "ada"],
    steps: [
      { shows: "New password: $", waits: "password" },
      { types: "x\r", shows: "Re-type new password: $", waits: "password" },
      { types: "x\r", shows: "Adding password", waits: "exit" },
    ],
  },
];
