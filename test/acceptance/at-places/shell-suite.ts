/** The tests of shells that can run at any place. */
import "../shell/bash-zsh-settings.test.ts";
import "../shell/changed-shell.test.ts";
import "../shell/framing.test.ts";
import "../shell/job-control.test.ts";
import "../shell/jobs.test.ts";
import "../shell/long-commands.test.ts";
import "../shell/programs.test.ts";
import "../shell/settings.test.ts";
import "../shell/terminal.test.ts";
