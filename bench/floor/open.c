/*
 * open TIMES PROGRAM
 *
 * Starts the program TIMES times, each in a terminal of its own, and keeps all of them running until the last one has
 * started. Prints {"perSecond"}.
 */
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec + at.tv_nsec / 1e9;
}

static pid_t start(char *program) {
  struct winsize size = {24, 80, 0, 0};
  char *argv[] = {program, 0};
  int master, slave;
  if (openpty(&master, &slave, 0, 0, &size) != 0) return -1;
  pid_t pid = fork();
  if (pid == 0) {
    login_tty(slave);
    closefrom(3);
    execvp(program, argv);
    _exit(127);
  }
  close(slave);
  return pid;
}

int main(int argc, char **argv) {
  int times = argc > 2 ? atoi(argv[1]) : 0, isBroken = 0;
  if (times < 1) return 2;
  pid_t *pids = calloc(times, sizeof *pids);
  double started = now();
  for (int i = 0; i < times; i++) pids[i] = start(argv[2]);
  double seconds = now() - started;
  for (int i = 0; i < times; i++) {
    if (pids[i] <= 0) isBroken = 1;
    else kill(pids[i], SIGKILL), waitpid(pids[i], 0, 0);
  }
  printf("{\"perSecond\":%.1f}\n", times / seconds);
  return isBroken;
}
