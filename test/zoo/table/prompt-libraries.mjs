/** Questions as libraries ask them: menus, forms, and lines with an editor. */
export const promptLibraries = [
  {
    name: "npm init",
    run: ["npm", "init"],
    isSlow: true,
    steps: [
      { shows: "package name: .*$", waits: "key" },
      { types: "tulip\r", shows: "version: .*$", waits: "key" },
      { types: "2.3.4\r", shows: "description: $", waits: "key" },
      { types: "\x03", waits: "exit" },
    ],
  },
  {
    name: "dialog",
    needs: { dialog: "dialog" },
    run: "dialog --menu Choose 12 40 2 a Apple b Banana; echo; echo chosen",
    screen: true,
    steps: [
      { shows: "Banana", waits: "key" },
      { types: "b\r", shows: "chosen", waits: "exit" },
    ],
  },
  {
    name: "whiptail",
    needs: { whiptail: "whiptail" },
    run: "whiptail --yesno Really? 10 40; echo; echo chosen",
    screen: true,
    steps: [
      { shows: "Really\\?", waits: "key" },
      { types: "\r", shows: "chosen", waits: "exit" },
    ],
  },
  {
    name: "fzf",
    needs: { fzf: "fzf" },
    run: "seq 100 | fzf",
    screen: true,
    steps: [
      { shows: "100/100", waits: "key" },
      { types: "42", shows: "1/100", waits: "key" },
      { types: "\r", shows: "42", waits: "exit" },
    ],
  },
  {
    name: "click (Python)",
    needs: { python3: "python3-click" },
    run: [
      "python3",
      "-c",
      "import click, time\nclick.confirm('Go on?')\ntime.sleep(0.6)\nclick.prompt('Token', hide_input=True)\nclick.pause()",
    ],
    steps: [
      { shows: "Go on\\? \\[y/N\\]: $", waits: "line" },
      { types: "y\r", shows: "Token: $", waits: "password" },
      { types: "x\r", shows: "Press any key to continue ?\\.\\.\\.$", waits: "key" },
      { types: "x", waits: "exit" },
    ],
  },
  {
    name: "prompt_toolkit with work in between",
    needs: { python3: "python3-prompt-toolkit" },
    isSlow: true,
    run: 'exec python3 "$ZOO/asks-with-ptk.py"',
    steps: [
      { shows: "name: ?$", waits: "key" },
      { types: "Ada\r", shows: "hello Ada\n.*secret: ?$", waits: "key" },
      { types: "tulips\r", shows: "6 letters\n.*\\(y/n\\) ?$", waits: "key" },
      { types: "y", shows: "done", waits: "exit" },
    ],
  },
  {
    name: "@inquirer/prompts",
    npm: ["@inquirer/prompts@7"],
    run: 'cp "$ZOO/asks-with-inquirer.mjs" . && exec node asks-with-inquirer.mjs',
    steps: [
      { shows: "Your name", waits: "key" },
      { types: "Ada\r", shows: "Which flower.*Tulip", waits: "key" },
      { types: "\x1b[B", shows: "Tulip", waits: "key" },
      { types: "\r", shows: "Really sure", waits: "key" },
      { types: "y\r", shows: "done Ada tulip true", waits: "exit" },
    ],
  },
  {
    name: "@clack/prompts",
    npm: ["@clack/prompts@0.11"],
    run: 'cp "$ZOO/asks-with-clack.mjs" . && exec node asks-with-clack.mjs',
    steps: [
      { shows: "Your name", waits: "key" },
      { types: "Ada", shows: "Ada", waits: "key" },
      { types: "\r", shows: "Which flower.*Tulip", waits: "key" },
      { types: "\x1b[B", shows: "Tulip", waits: "key" },
      { types: "\r", shows: "Planted.*Really sure", waits: "key" },
      { types: "\r", shows: "done Ada tulip", waits: "exit" },
    ],
  },
  {
    name: "enquirer",
    npm: ["enquirer@2"],
    run: 'cp "$ZOO/asks-with-enquirer.mjs" . && exec node asks-with-enquirer.mjs',
    steps: [
      { shows: "Your name", waits: "key" },
      { types: "Ada\r", shows: "Which flower.*tulip", waits: "key" },
      { types: "\x1b[B\r", shows: "done Ada tulip", waits: "exit" },
    ],
  },
  {
    name: "prompts (npm)",
    npm: ["prompts@2"],
    run: 'cp "$ZOO/asks-with-prompts.mjs" . && exec node asks-with-prompts.mjs',
    steps: [
      { shows: "Your name", waits: "key" },
      { types: "Ada\r", shows: "Your secret", waits: "key" },
      { types: "tulips\r", shows: "Which flower.*Tulip", waits: "key" },
      { types: "\x1b[B\r", shows: "done Ada tulips tulip", waits: "exit" },
    ],
  },
  {
    name: "create-vite",
    npm: ["create-vite@8"],
    isSlow: true,
    run: ["create-vite"],
    steps: [
      { shows: "Project name", waits: "key" },
      { types: "zoo\r", shows: "Select a framework.*Vue", waits: "key" },
      { types: "\r", shows: "Select a variant", waits: "key" },
      { types: "\x03", waits: "exit" },
    ],
  },
  {
    name: "readline of node",
    run: 'exec node "$ZOO/asks-with-readline.mjs"',
    steps: [
      { shows: "name\\? $", waits: "key" },
      { types: "Ada\r", shows: "hello Ada\nmore\\? $", waits: "key" },
      { types: "no\r", shows: "bye", waits: "exit" },
    ],
  },
];
