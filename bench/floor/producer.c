/*
 * producer KIND BYTES [expect]
 *
 * Writes a known stream to its terminal: `lines` of 80 bytes, numbered, or `raw` bytes with output processing off.
 * With `expect` it writes nothing and prints what a reader must get as {"bytes", "crc"}: of lines, with CR before each LF.
 * The exit code is 7, so that a wrong code cannot pass for a right one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>
#include "crc32.h"

enum { LINE = 80, LINES_PER_BLOCK = 512, BLOCK = LINE * LINES_PER_BLOCK };

static unsigned char block[BLOCK];
static unsigned char seen[BLOCK + LINES_PER_BLOCK];
static uint64_t made, state = 88172645463325252ull;

static void fill_lines(void) {
  for (int i = 0; i < LINES_PER_BLOCK; i++) {
    unsigned char *line = block + i * LINE;
    uint64_t number = made++;
    for (int digit = 9; digit >= 0; digit--, number /= 10) line[digit] = '0' + number % 10;
    for (int at = 10; at < LINE - 1; at++) line[at] = ' ' + (at + made) % 94;
    line[LINE - 1] = '\n';
  }
}

static void fill_raw(void) {
  for (int at = 0; at < BLOCK; at += 8) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    memcpy(block + at, &state, 8);
  }
}

static size_t as_seen(int is_raw, size_t length) {
  size_t out = 0;
  for (size_t at = 0; at < length; at++) {
    if (!is_raw && block[at] == '\n') seen[out++] = '\r';
    seen[out++] = block[at];
  }
  return out;
}

static void write_all(size_t length) {
  for (size_t at = 0; at < length;) {
    ssize_t count = write(1, block + at, length - at);
    if (count <= 0) exit(1);
    at += count;
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  int is_raw = strcmp(argv[1], "raw") == 0, is_expect = argc > 3;
  size_t left = strtoull(argv[2], 0, 10);
  uint64_t bytes = 0;
  uint32_t crc = 0;
  crc_init();
  if (is_raw && !is_expect) {
    struct termios mode;
    tcgetattr(1, &mode);
    mode.c_oflag &= ~OPOST;
    tcsetattr(1, TCSANOW, &mode);
  }
  while (left > 0) {
    size_t length = left < BLOCK ? left : BLOCK;
    if (is_raw) fill_raw();
    else fill_lines();
    if (is_expect) {
      size_t count = as_seen(is_raw, length);
      crc = crc_add(crc, seen, count);
      bytes += count;
    } else write_all(length);
    left -= length;
  }
  if (is_expect) return printf("{\"bytes\":%llu,\"crc\":%u}\n", (unsigned long long)bytes, crc), 0;
  return 7;
}
