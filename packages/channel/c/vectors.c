/* Runs the vectors of PROTOCOL.md, whose path is the argument. Prints how many passed, and each one that failed. */
#include "fairlead.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *fields[8];

/* Splits a line at its bars and strips the spaces around them. */
static void cut(char *line) {
  memset(fields, 0, sizeof fields);
  for (int index = 0; line && index < 8; index++) {
    char *bar = strchr(line, '|');
    if (bar) *bar = 0;
    while (*line == ' ') line++;
    char *end = line + strlen(line);
    while (end > line && (end[-1] == ' ' || end[-1] == '\n')) *--end = 0;
    fields[index] = line;
    line = bar ? bar + 1 : NULL;
  }
}

static size_t unhex(const char *hex, uint8_t *bytes) {
  size_t size = 0;
  for (unsigned value; sscanf(hex + 2 * size, "%2x", &value) == 1; size++) bytes[size] = (uint8_t)value;
  return size;
}

static int passes_frame(const uint8_t *bytes, size_t size) {
  static uint8_t attached[4096];
  unsigned kind, blocked, id, parent;
  if (sscanf(fields[3], "%u %u %u %u", &kind, &blocked, &id, &parent) != 4) return 0;
  struct fairlead_frame frame = {.kind = (uint8_t)kind, .blocked = (uint8_t)blocked, .id = id, .parent = parent};
  frame.name = fields[4];
  frame.name_size = strlen(fields[4]);
  frame.text = fields[5];
  frame.text_size = strlen(fields[5]);
  uint32_t count = 0;
  size_t used = 0;
  static uint8_t data[1024], sizes[64];
  for (char *part = strtok(fields[6], " "); part; part = strtok(NULL, " "), count++) {
    int is_text = *part == '"';
    size_t length = strcmp(part, "-") == 0 ? 0 : unhex(part + is_text, data + used);
    memset(sizes + 4 * count, 0, 4);
    sizes[4 * count] = (uint8_t)length;
    if (is_text) {
      sizes[4 * count + 3] = 0x80;
      frame.encoding = 4;
    }
    used += length;
  }
  if (count) {
    memset(attached, 0, 4);
    attached[0] = (uint8_t)count;
    memcpy(attached + 4, sizes, 4 * count);
    memcpy(attached + 4 + 4 * count, data, used);
    frame.attachments = attached;
    frame.attachments_size = 4 + 4 * count + used;
  }
  size_t written_size;
  uint8_t *written = fairlead_write(&frame, &written_size);
  int same = written && written_size == size && memcmp(written, bytes, size) == 0;
  free(written);
  struct fairlead_frame read;
  if (!same || fairlead_parse(bytes + 4, size - 4, &read)) return 0;
  return read.kind == kind && read.blocked == blocked && read.id == id && read.parent == parent &&
         read.name_size == frame.name_size && memcmp(read.name, frame.name, frame.name_size) == 0 &&
         read.text_size == frame.text_size && memcmp(read.text, frame.text, frame.text_size) == 0 &&
         read.attachments_size == frame.attachments_size;
}

/* Reads a stream in pieces of `step` bytes and compares the resulting frames. */
static int passes_stream(const uint8_t *bytes, size_t size, size_t step) {
  struct fairlead_reader reader = {0};
  struct fairlead_frame frame;
  char kinds[256] = "", acks[256] = "";
  int found = 0;
  for (size_t from = 0; from < size && found >= 0; from += step) {
    size_t at = 0, count = size - from < step ? size - from : step;
    uint64_t acknowledged;
    while ((found = fairlead_read(&reader, bytes + from, count, &at, &frame, &acknowledged)) > 0) {
      char *list = found == 1 ? kinds : acks;
      unsigned long long number = found == 1 ? frame.kind : acknowledged;
      snprintf(list + strlen(list), 256 - strlen(list), "%s%llu", *list ? " " : "", number);
    }
  }
  free(reader.partial);
  if (fields[0][0] == 'b') return found < 0;
  return found == 0 && strcmp(kinds, fields[3]) == 0 && strcmp(acks, fields[4]) == 0;
}

int main(int count, char **arguments) {
  FILE *page = count > 1 ? fopen(arguments[1], "r") : NULL;
  if (!page) return 2;
  static char line[65536], whole[65536];
  static uint8_t bytes[32768];
  int is_inside = 0, passed = 0, failed = 0;
  while (fgets(line, sizeof line, page)) {
    if (strncmp(line, "```", 3) == 0) {
      is_inside = strcmp(line, "```vectors\n") == 0;
      continue;
    }
    if (!is_inside) continue;
    strcpy(whole, line);
    cut(line);
    size_t size = unhex(fields[2], bytes);
    int passes = fields[0][0] == 'f' ? passes_frame(bytes, size)
                                     : passes_stream(bytes, size, size) && passes_stream(bytes, size, 1);
    passes ? passed++ : failed++;
    if (!passes) printf("failed: %s", whole);
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed > 0;
}
