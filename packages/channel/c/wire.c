#include "fairlead.h"
#include <stdlib.h>
#include <string.h>

enum { HEADER_SIZE = 12, MAX_PACKET = 65536, MAX_NAME = 1024, MAX_ATTACHMENTS = 65536, BLOCKED = 0x80 };
#define MAX_FRAME (64u * 1024 * 1024)
#define TEXT 0x80000000u

static uint32_t read_u32(const uint8_t *at) {
  return at[0] | at[1] << 8 | at[2] << 16 | (uint32_t)at[3] << 24;
}

static void write_u32(uint8_t *at, uint32_t value) {
  for (int byte = 0; byte < 4; byte++) at[byte] = (uint8_t)(value >> 8 * byte);
}

/* Checks UTF-8 by RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. */
static int is_utf8(const uint8_t *at, size_t size) {
  const uint8_t *end = at + size;
  while (at < end) {
    uint8_t first = *at++;
    if (first < 0x80) continue;
    int more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1;
    if (first < 0xc2 || first > 0xf4 || end - at < more) return 0;
    if ((first == 0xe0 && at[0] < 0xa0) || (first == 0xed && at[0] > 0x9f)) return 0;
    if ((first == 0xf0 && at[0] < 0x90) || (first == 0xf4 && at[0] > 0x8f)) return 0;
    while (more--)
      if ((*at++ & 0xc0) != 0x80) return 0;
  }
  return 1;
}

/* In encoding 4, the top bit of a length marks an attachment as text. */
static int parse_attachments(const uint8_t *at, size_t left, struct fairlead_frame *frame) {
  if (left < 4) return -1;
  uint32_t count = read_u32(at);
  if (count > MAX_ATTACHMENTS || count * 4 > left - 4) return -1;
  size_t used = 4 + 4 * (size_t)count;
  for (uint32_t index = 0; index < count; index++) {
    uint32_t length = read_u32(at + 4 + 4 * index);
    uint32_t is_text = frame->encoding == 4 ? length & TEXT : 0;
    uint32_t size = length - is_text;
    if (size > left - used || (is_text && !is_utf8(at + used, size))) return -1;
    used += size;
  }
  frame->attachments = at;
  frame->attachments_size = used;
  frame->text = (const char *)at + used;
  frame->text_size = left - used;
  return 0;
}

int fairlead_parse(const uint8_t *bytes, size_t size, struct fairlead_frame *frame) {
  memset(frame, 0, sizeof *frame);
  if (size < HEADER_SIZE) return -1;
  frame->kind = bytes[0];
  frame->encoding = bytes[1] & ~BLOCKED;
  frame->blocked = bytes[1] >> 7;
  frame->name_size = bytes[2] | bytes[3] << 8;
  frame->id = read_u32(bytes + 4);
  frame->parent = read_u32(bytes + 8);
  if (frame->kind < FAIRLEAD_HELLO || frame->kind > FAIRLEAD_BYE || frame->encoding > 4) return -1;
  if (frame->name_size > MAX_NAME || frame->name_size > size - HEADER_SIZE) return -1;
  frame->name = (const char *)bytes + HEADER_SIZE;
  if (!is_utf8((const uint8_t *)frame->name, frame->name_size)) return -1;
  frame->text = frame->name + frame->name_size;
  frame->text_size = size - HEADER_SIZE - frame->name_size;
  if (frame->encoding >= 3 && parse_attachments((const uint8_t *)frame->text, frame->text_size, frame)) return -1;
  if ((frame->encoding == 0) != (frame->text_size == 0)) return -1;
  if (frame->encoding == 2)
    for (size_t at = 0; at < frame->text_size; at++)
      if (frame->text[at] & 0x80) return -1;
  return is_utf8((const uint8_t *)frame->text, frame->text_size) ? 0 : -1;
}

uint8_t *fairlead_write(const struct fairlead_frame *frame, size_t *size) {
  size_t length = HEADER_SIZE + frame->name_size + frame->attachments_size + frame->text_size;
  if (length > MAX_FRAME || frame->name_size > MAX_NAME) return NULL;
  uint8_t *bytes = malloc(4 + length);
  if (!bytes) return NULL;
  uint8_t encoding = frame->attachments_size ? frame->encoding == 4 ? 4 : 3 : frame->text_size ? 2 : 0;
  for (size_t at = 0; at < frame->text_size && encoding == 2; at++)
    if (frame->text[at] & 0x80) encoding = 1;
  write_u32(bytes, (uint32_t)length);
  bytes[4] = frame->kind;
  bytes[5] = encoding | (frame->blocked ? BLOCKED : 0);
  bytes[6] = frame->name_size & 0xff;
  bytes[7] = (uint8_t)(frame->name_size >> 8);
  write_u32(bytes + 8, frame->id);
  write_u32(bytes + 12, frame->parent);
  uint8_t *at = bytes + 4 + HEADER_SIZE;
  if (frame->name_size) memcpy(at, frame->name, frame->name_size);
  at += frame->name_size;
  if (frame->attachments_size) memcpy(at, frame->attachments, frame->attachments_size);
  at += frame->attachments_size;
  if (frame->text_size) memcpy(at, frame->text, frame->text_size);
  *size = 4 + length;
  return bytes;
}

/* Appends to the partial frame. The buffer is at most twice as large as the bytes received. */
static int collect(struct fairlead_reader *reader, const uint8_t *bytes, size_t count) {
  if (reader->partial_size + count > reader->partial_room) {
    size_t room = 2 * (reader->partial_size + count) + 64;
    uint8_t *larger = realloc(reader->partial, room);
    if (!larger) return -1;
    reader->partial = larger;
    reader->partial_room = room;
  }
  memcpy(reader->partial + reader->partial_size, bytes, count);
  reader->partial_size += count;
  reader->packet_left -= count;
  return 0;
}

/* Handles a complete packet header: returns 0 to read on, 2 for an acknowledgement. */
static int open_packet(struct fairlead_reader *reader, uint64_t *acknowledged) {
  uint32_t word = read_u32(reader->header);
  if (word >> 31) {
    if (reader->header_size < 8) return 0;
    *acknowledged = (uint64_t)(word & 0x7fffffff) << 32 | read_u32(reader->header + 4);
    reader->header_size = 0;
    return 2;
  }
  reader->header_size = 0;
  reader->packet_left = word;
  return word == 0 || word > MAX_PACKET ? -1 : 0;
}

int fairlead_read(struct fairlead_reader *reader, const uint8_t *bytes, size_t size, size_t *at,
                  struct fairlead_frame *frame, uint64_t *acknowledged) {
  while (*at < size) {
    if (reader->packet_left == 0) {
      reader->header[reader->header_size++] = bytes[(*at)++];
      int opened = reader->header_size == 4 || reader->header_size == 8 ? open_packet(reader, acknowledged) : 0;
      if (opened) return opened;
      continue;
    }
    size_t wanted = 4 - reader->partial_size;
    if (reader->partial_size >= 4) wanted = 4 + (size_t)read_u32(reader->partial) - reader->partial_size;
    size_t count = wanted < reader->packet_left ? wanted : reader->packet_left;
    if (count > size - *at) count = size - *at;
    if (collect(reader, bytes + *at, count)) return -1;
    *at += count;
    if (reader->partial_size < 4) continue;
    uint32_t length = read_u32(reader->partial);
    if (length < HEADER_SIZE || length > MAX_FRAME) return -1;
    if (reader->partial_size < 4 + (size_t)length) continue;
    reader->partial_size = 0;
    return fairlead_parse(reader->partial + 4, length, frame) ? -1 : 1;
  }
  return 0;
}
