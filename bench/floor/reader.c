/*
 * reader PROGRAM ARGS…
 *
 * Runs the program in a terminal and reads to the end, checksum included, as plainly as it can be done.
 * Prints {"bytes", "crc", "seconds", "code"}.
 */
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <utmp.h>
#include <unistd.h>
#include "crc32.h"

static double now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec + at.tv_nsec / 1e9;
}

int main(int argc, char **argv) {
  static unsigned char buffer[65536];
  struct winsize size = {24, 80, 0, 0};
  int master, slave, status = 0;
  uint64_t bytes = 0;
  uint32_t crc = 0;
  ssize_t count;
  if (argc < 2 || openpty(&master, &slave, 0, 0, &size) != 0) return 1;
  crc_init();
  double started = now();
  pid_t pid = fork();
  if (pid == 0) {
    close(master);
    login_tty(slave);
    execv(argv[1], argv + 1);
    _exit(127);
  }
  close(slave);
  while ((count = read(master, buffer, sizeof buffer)) > 0) {
    bytes += count;
    crc = crc_add(crc, buffer, count);
  }
  waitpid(pid, &status, 0);
  printf("{\"bytes\":%llu,\"crc\":%u,\"seconds\":%.6f,\"code\":%d}\n", (unsigned long long)bytes, crc, now() - started,
         WEXITSTATUS(status));
}
