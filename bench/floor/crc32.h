/* CRC-32 as zlib computes it, eight bytes a step: cheap enough to run inside the timed loop, on both sides. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint32_t crc_table[8][256];

static void crc_init(void) {
  for (uint32_t i = 0; i < 256; i++) {
    uint32_t value = i;
    for (int bit = 0; bit < 8; bit++) value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0);
    crc_table[0][i] = value;
  }
  for (int t = 1; t < 8; t++)
    for (int i = 0; i < 256; i++)
      crc_table[t][i] = (crc_table[t - 1][i] >> 8) ^ crc_table[0][crc_table[t - 1][i] & 0xff];
}

static uint32_t crc_add(uint32_t crc, const unsigned char *bytes, size_t length) {
  crc = ~crc;
  for (; length >= 8; bytes += 8, length -= 8) {
    uint64_t word;
    memcpy(&word, bytes, 8);
    word ^= crc;
    crc = 0;
    for (int t = 0; t < 8; t++) crc ^= crc_table[7 - t][(word >> (8 * t)) & 0xff];
  }
  for (; length > 0; bytes++, length--) crc = (crc >> 8) ^ crc_table[0][(crc ^ *bytes) & 0xff];
  return ~crc;
}
