/* echo: gives each line back. exit: reads a line, prints the clock and ends. password: after each line works for a while, then prints the
 * clock in a prompt without echo. The clock is CLOCK_MONOTONIC, which is also process.hrtime's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

int main(int count, char **words) {
  char line[4096];
  const char *kind = count > 1 ? words[1] : "echo";
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  if (!strcmp(kind, "password")) {
    struct termios mode;
    tcgetattr(0, &mode);
    mode.c_lflag &= ~ECHO;
    tcsetattr(0, TCSAFLUSH, &mode);
    for (;;) {
      usleep(rand() % 40000);
      printf("Password [%lld]: ", now());
      fflush(stdout);
      if (!fgets(line, sizeof line, stdin)) return 0;
      puts("");
    }
  }
  while (fgets(line, sizeof line, stdin)) {
    if (!strcmp(kind, "exit")) {
      printf("[%lld]\n", now());
      fflush(stdout);
      _exit(0);
    }
    fputs(line, stdout);
    fflush(stdout);
  }
  return 0;
}
