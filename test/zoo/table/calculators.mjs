/** Languages for numbers, logic and lists, asked line by line. */
export const calculators = [
  {
    name: "octave",
    needs: { "octave-cli": "octave" },
    isSlow: true,
    run: ["octave-cli", "--norc", "--quiet"],
    steps: [
      { shows: "octave:1> $", waits: "key" },
      { types: "6 * 7\r", shows: "ans = 42\n.*octave:2> $", waits: "key" },
      { types: "pause(1.2); 40 + 3\r", shows: "ans = 43\n.*octave:3> $", waits: "key" },
      { types: "exit\r", waits: "exit" },
    ],
  },
  {
    name: "R",
    needs: { R: "r-base-core" },
    isSlow: true,
    run: ["R", "--vanilla", "--quiet"],
    steps: [
      { shows: "> $", waits: "key" },
      { types: "6 * 7\r", shows: "42\n> $", waits: "key" },
      { types: "Sys.sleep(1.2); 40 + 3\r", shows: "43\n> $", waits: "key" },
      { types: "x <- readline('who? ')\r", shows: "who\\? $", waits: "key" },
      { types: "Ada\r", shows: "> $", waits: "key" },
      { types: "q('no')\r", waits: "exit" },
    ],
  },
  {
    name: "maxima",
    needs: { maxima: "maxima" },
    isSlow: true,
    run: ["maxima", "--very-quiet"],
    steps: [
      { shows: "", waits: "key" },
      { types: "6 * 7;\r", shows: "42", waits: "key" },
    ],
  },
  {
    name: "gp (PARI)",
    needs: { gp: "pari-gp" },
    run: ["gp", "-q", "-f"],
    steps: [
      { shows: "\\? $", waits: "key" },
      { types: "6 * 7\r", shows: "42\n\\? $", waits: "key" },
      { types: 'system("sleep 1"); 40 + 3\r', shows: "43\n\\? $", waits: "key" },
    ],
  },
  {
    name: "bc",
    needs: { bc: "bc" },
    run: ["bc", "-q"],
    steps: [
      { shows: "", waits: "key" },
      { types: "6 * 7\r", shows: "42\n", waits: "key" },
      { types: "quit\r", waits: "exit" },
    ],
  },
  {
    name: "dc",
    needs: { dc: "dc" },
    run: ["dc"],
    steps: [
      { shows: "", waits: "line" },
      { types: "6 7 * p\r", shows: "42\n", waits: "line" },
    ],
  },
  {
    name: "units",
    needs: { units: "units" },
    run: ["units"],
    steps: [
      { shows: "You have: $", waits: "key" },
      { types: "3 feet\r", shows: "You want: $", waits: "key" },
      { types: "inch\r", shows: "\\* 36\n.*You have: $", waits: "key" },
    ],
  },
  {
    name: "gnuplot",
    needs: { gnuplot: "gnuplot-nox" },
    run: ["gnuplot"],
    steps: [
      { shows: "gnuplot> $", waits: "key" },
      { types: "print 6 * 7\r", shows: "42\n.*gnuplot> $", waits: "key" },
      { types: "pause 1.2; print 40 + 3\r", shows: "43\n.*gnuplot> $", waits: "key" },
    ],
  },
  {
    name: "swipl",
    needs: { swipl: "swi-prolog-nox" },
    run: ["swipl", "-q"],
    steps: [
      { shows: "\\?- $", waits: "key" },
      { types: "X is 6 * 7.\r", shows: "X = 42\\..*\\?- $", waits: "key" },
      { types: "sleep(1.2), Y is 40 + 3.\r", shows: "Y = 43\\..*\\?- $", waits: "key" },
      { types: "member(X, [rose, tulip]).\r", shows: "X = rose $", waits: "key" },
      { types: ";", shows: "X = tulip\\..*\\?- $", waits: "key" },
    ],
  },
  {
    name: "sbcl",
    needs: { sbcl: "sbcl" },
    run: ["sbcl", "--no-userinit"],
    steps: [
      { shows: "\\* $", waits: "line" },
      { types: "(* 6 7)\r", shows: "42\n\\* $", waits: "line" },
      { types: "(progn (sleep 1) (+ 40 3))\r", shows: "43\n\\* $", waits: "line" },
      { types: "(exit)\r", waits: "exit" },
    ],
  },
  {
    name: "clisp",
    needs: { clisp: "clisp" },
    run: ["clisp", "-q", "-norc"],
    steps: [
      { shows: "\\[1\\]> $", waits: "key" },
      { types: "(* 6 7)\r", shows: "42\n\\[2\\]> $", waits: "key" },
      { types: "(progn (sleep 1) (+ 40 3))\r", shows: "43\n\\[3\\]> $", waits: "key" },
    ],
  },
  {
    name: "ecl",
    needs: { ecl: "ecl" },
    run: ["ecl", "-norc"],
    steps: [
      { shows: "> $", waits: "line" },
      { types: "(* 6 7)\r", shows: "42\n> $", waits: "line" },
      { types: "(progn (sleep 1) (+ 40 3))\r", shows: "43\n> $", waits: "line" },
    ],
  },
  {
    name: "guile",
    needs: { guile: "guile-3.0" },
    isSlow: true,
    run: ["guile", "-q"],
    steps: [
      { shows: "scheme@\\(guile-user\\)> $", waits: "line" },
      { types: "(* 6 7)\r", shows: "= 42\n.*> $", waits: "line" },
      { types: "(begin (sleep 1) (+ 40 3))\r", shows: "= 43\n.*> $", waits: "line" },
    ],
  },
  {
    name: "csi (CHICKEN)",
    needs: { csi: "chicken-bin" },
    run: ["csi", "-q", "-n"],
    steps: [
      { shows: "#;1> $", waits: "line" },
      { types: "(* 6 7)\r", shows: "42\n#;2> $", waits: "line" },
    ],
  },
  {
    name: "gforth",
    needs: { gforth: "gforth" },
    run: ["gforth"],
    steps: [
      { shows: "`bye' to exit\n?$", waits: "key" },
      { types: "6 7 * .\r", shows: "42 +ok\n?$", waits: "key" },
      { types: "1200 ms 40 3 + .\r", shows: "43 +ok\n?$", waits: "key" },
    ],
  },
  {
    name: "ocaml",
    needs: { ocaml: "ocaml-nox" },
    run: ["ocaml", "-noinit"],
    steps: [
      { shows: "# $", waits: "line" },
      { types: "6 * 7;;\r", shows: "= 42\n# $", waits: "line" },
      { types: 'ignore (Sys.command "sleep 1"); 40 + 3;;\r', shows: "= 43\n# $", waits: "line" },
    ],
  },
  {
    name: "rlwrap",
    needs: { rlwrap: "rlwrap", luajit: "luajit" },
    run: ["rlwrap", "luajit"],
    steps: [
      { shows: "> ?$", waits: "line" },
      { types: "print(6 * 7)\r", shows: "42\n> ?$", waits: "line" },
      { types: "os.execute('sleep 1.2'); print('sl' .. 'ept')\r", shows: "slept\n> ?$", waits: "line" },
    ],
  },
];
