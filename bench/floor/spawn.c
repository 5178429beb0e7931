/*
 * spawn TIMES PROGRAM [ARGUMENT…]
 *
 * Starts the program in a terminal of its own, reads to the end and waits for it, again and again.
 * Prints {"p50", "p90", "p99"} in milliseconds from openpty to the exit.
 */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <utmp.h>
#include <unistd.h>

static double now_ms(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1e3 + at.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double run_once(char **argv) {
  struct winsize size = {24, 80, 0, 0};
  char buffer[4096];
  int master, slave, status;
  double started = now_ms();
  if (openpty(&master, &slave, 0, 0, &size) != 0) exit(1);
  pid_t pid = fork();
  if (pid == 0) {
    close(master);
    login_tty(slave);
    execv(argv[0], argv);
    _exit(127);
  }
  close(slave);
  while (read(master, buffer, sizeof buffer) > 0) continue;
  waitpid(pid, &status, 0);
  double took = now_ms() - started;
  close(master);
  if (WEXITSTATUS(status) != 0) exit(1);
  return took;
}

int main(int argc, char **argv) {
  int times = argc > 2 ? atoi(argv[1]) : 0;
  if (times < 1) return 2;
  double *took = calloc(times, sizeof *took);
  for (int i = 0; i < times; i++) took[i] = run_once(argv + 2);
  qsort(took, times, sizeof *took, by_size);
  printf("{\"p50\":%.4f,\"p90\":%.4f,\"p99\":%.4f}\n", took[times / 2], took[times * 9 / 10], took[times * 99 / 100]);
}
