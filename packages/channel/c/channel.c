#include "fairlead.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
enum { WINDOW = 28 * 1024 - 64 };
#else
enum { WINDOW = 16 * 1024 - 64 };
#endif
/* A piece fits into the window in addition to all bytes that a reader may leave unacknowledged. */
enum { ACK_THRESHOLD = WINDOW / 2, PIECE = WINDOW / 2 - 64, MAX_HANDLERS = 256 };

/* A copy of a frame that arrived while an answer was awaited. */
struct queued {
  struct queued *next;
  struct fairlead_frame frame;
  uint8_t *bytes;
};

struct fairlead {
  int read_fd, write_fd, is_greeted, is_over, is_broken;
  uint64_t written, acknowledged, received, told;
  uint32_t last_id, handling;
  struct fairlead_reader reader;
  uint8_t chunk[65536];
  size_t chunk_at, chunk_size;
  struct queued *first, **last;
  struct { char *name; fairlead_handler *handler; void *data; } handlers[MAX_HANDLERS];
  size_t handler_count;
};

static void end(struct fairlead *channel, int is_broken) {
  channel->is_over = 1;
  channel->is_broken |= is_broken;
}

static void put(struct fairlead *channel, const uint8_t *bytes, size_t size) {
  while (size > 0 && !channel->is_over) {
    ssize_t count = write(channel->write_fd, bytes, size);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) {
      end(channel, 0);
      return;
    }
    bytes += count;
    size -= (size_t)count;
    channel->written += (uint64_t)count;
  }
}

static void put_u32(uint8_t *at, uint32_t value) {
  for (int byte = 0; byte < 4; byte++) at[byte] = (uint8_t)(value >> 8 * byte);
}

static void acknowledge_if_due(struct fairlead *channel) {
  uint64_t parsed = channel->received - (channel->chunk_size - channel->chunk_at);
  if (parsed - channel->told < ACK_THRESHOLD) return;
  uint8_t ack[8];
  put_u32(ack, 0x80000000u | (uint32_t)(parsed >> 32));
  put_u32(ack + 4, (uint32_t)parsed);
  put(channel, ack, sizeof ack);
  channel->told = parsed;
}

/* Checks that the frame is a HELLO for version 1, the only version supported here. It finds the number after the
   key "version", whatever white space the JSON has. */
static int greets(const struct fairlead_frame *frame) {
  if (frame->kind != FAIRLEAD_HELLO) return 0;
  char text[4096];
  if (frame->text_size >= sizeof text) return 0;
  memcpy(text, frame->text, frame->text_size);
  text[frame->text_size] = 0;
  const char *key = strstr(text, "\"version\"");
  int version;
  return key && sscanf(key, "\"version\" : %d", &version) == 1 && version == 1;
}

/* Reads until a frame has arrived and queues it; returns 0 if the connection is over. */
static int receive(struct fairlead *channel) {
  for (;;) {
    if (channel->is_over) return 0;
    struct fairlead_frame frame;
    uint64_t acknowledged;
    int found = fairlead_read(&channel->reader, channel->chunk, channel->chunk_size, &channel->chunk_at, &frame,
                              &acknowledged);
    if (found == 2) {
      if (acknowledged < channel->acknowledged || acknowledged > channel->written) end(channel, 1);
      channel->acknowledged = acknowledged;
      return 1;
    }
    if (found < 0) end(channel, 1);
    if (found == 1 && !channel->is_greeted) {
      channel->is_greeted = 1;
      if (!greets(&frame)) end(channel, 1);
      continue;
    }
    if (found == 1) {
      struct queued *queued = calloc(1, sizeof *queued);
      size_t size = 0;
      if (queued) queued->bytes = fairlead_write(&frame, &size);
      if (!queued || !queued->bytes || fairlead_parse(queued->bytes + 4, size - 4, &queued->frame)) abort();
      *channel->last = queued;
      channel->last = &queued->next;
      return 1;
    }
    if (found == 0) {
      acknowledge_if_due(channel);
      ssize_t count = read(channel->read_fd, channel->chunk, sizeof channel->chunk);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) end(channel, 0);
      channel->chunk_at = 0;
      channel->chunk_size = count > 0 ? (size_t)count : 0;
      channel->received += channel->chunk_size;
    }
  }
}

static int transmit(struct fairlead *channel, const struct fairlead_frame *frame) {
  size_t size;
  uint8_t *bytes = fairlead_write(frame, &size);
  if (!bytes) return -1;
  uint8_t packet[4 + PIECE];
  for (size_t at = 0; at < size && !channel->is_over;) {
    size_t piece = size - at < PIECE ? size - at : PIECE;
    while (!channel->is_over && channel->written - channel->acknowledged + piece + 4 > WINDOW) receive(channel);
    put_u32(packet, (uint32_t)piece);
    memcpy(packet + 4, bytes + at, piece);
    put(channel, packet, 4 + piece);
    at += piece;
  }
  free(bytes);
  return channel->is_over ? -1 : 0;
}

static int transmit_text(struct fairlead *channel, uint8_t kind, int blocked, uint32_t id, uint32_t parent,
                         const char *name, const char *text) {
  struct fairlead_frame frame = {.kind = kind, .blocked = blocked != 0, .id = id, .parent = parent};
  frame.name = name;
  frame.name_size = strlen(name);
  frame.text = text ? text : "";
  frame.text_size = strlen(frame.text);
  return transmit(channel, &frame);
}

static char *unavailable(struct fairlead *channel, const char *content, void *data, const char **error) {
  (void)channel, (void)content, (void)data, (void)error;
  return strdup("\"unavailable\"");
}

struct fairlead *fairlead_open(void) {
  const char *address = getenv("FAIRLEAD_XPC");
  int read_fd, write_fd;
  if (!address || sscanf(address, "fd:%d,%d", &read_fd, &write_fd) != 2) return NULL;
  unsetenv("FAIRLEAD_XPC");
  struct fairlead *channel = calloc(1, sizeof *channel);
  if (!channel) return NULL;
  fcntl(read_fd, F_SETFD, FD_CLOEXEC);
  fcntl(write_fd, F_SETFD, FD_CLOEXEC);
  channel->read_fd = read_fd;
  channel->write_fd = write_fd;
  channel->last = &channel->first;
  static const char *const kinds[] = {"$auth.contacts",  "$auth.location", "$auth.media",
                                      "$auth.eventKit",  "$auth.userNotificationSettings",
                                      "$auth.photoLibrary", "$auth.healthKit"};
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
    fairlead_on(channel, kinds[kind], unavailable, NULL);
  }
  char greeting[64];
  snprintf(greeting, sizeof greeting, "{\"version\":1,\"pid\":%ld,\"runtime\":\"c\"}", (long)getpid());
  transmit_text(channel, FAIRLEAD_HELLO, 0, 0, 0, "", greeting);
  return channel;
}

void fairlead_on(struct fairlead *channel, const char *name, fairlead_handler *handler, void *data) {
  size_t index = 0;
  while (index < channel->handler_count && strcmp(channel->handlers[index].name, name) != 0) index++;
  if (index == MAX_HANDLERS) return;
  if (index == channel->handler_count) {
    channel->handlers[index].name = strdup(name);
    channel->handler_count++;
  }
  channel->handlers[index].handler = handler;
  channel->handlers[index].data = data;
}

static void fail(struct fairlead *channel, uint32_t id, const char *code, const char *detail) {
  /* Characters of the detail that JSON would have to escape are left out. */
  char text[1024];
  size_t used = (size_t)snprintf(text, sizeof text, "{\"code\":\"%s\",\"detail\":\"", code);
  for (; *detail && used < sizeof text - 3; detail++)
    if ((unsigned char)*detail >= ' ' && *detail != '"' && *detail != '\\' && !(*detail & 0x80)) text[used++] = *detail;
  memcpy(text + used, "\"}", 3);
  transmit_text(channel, FAIRLEAD_ERROR, 0, id, 0, "", text);
}

static void handle(struct fairlead *channel, const struct fairlead_frame *frame) {
  int is_request = frame->kind == FAIRLEAD_REQUEST;
  for (size_t index = 0; index < channel->handler_count; index++) {
    const char *name = channel->handlers[index].name;
    if (strlen(name) != frame->name_size || memcmp(name, frame->name, frame->name_size) != 0) continue;
    char *content = strndup(frame->text, frame->text_size);
    uint32_t outer = channel->handling, id = frame->id;
    const char *error = NULL;
    channel->handling = id;
    char *answer = channel->handlers[index].handler(channel, content, channel->handlers[index].data, &error);
    channel->handling = outer;
    if (is_request && error) fail(channel, id, "handlerFailed", error);
    else if (is_request) transmit_text(channel, FAIRLEAD_RESPONSE, 0, id, 0, "", answer);
    free(answer);
    free(content);
    return;
  }
  if (is_request) fail(channel, frame->id, "noHandler", "");
}

/* Takes the first frame out of the queue that is for a handler or answers the request `awaited`. */
static struct queued *take(struct fairlead *channel, uint32_t awaited) {
  for (struct queued **at = &channel->first; *at; at = &(*at)->next) {
    struct fairlead_frame *frame = &(*at)->frame;
    int is_message = frame->kind == FAIRLEAD_REQUEST || frame->kind == FAIRLEAD_POST;
    int is_answer = frame->kind == FAIRLEAD_RESPONSE || frame->kind == FAIRLEAD_ERROR;
    if (!is_message && !(is_answer && awaited && frame->id == awaited)) continue;
    struct queued *found = *at;
    *at = found->next;
    if (!*at && channel->last == &found->next) channel->last = at;
    return found;
  }
  return NULL;
}

static void release(struct queued *queued) {
  free(queued->bytes);
  free(queued);
}

/* Frees the queued frames. It is called outside of any send, so the answers among them are late and not needed. */
static void drop_rest(struct fairlead *channel) {
  while (channel->first) {
    struct queued *queued = channel->first;
    channel->first = queued->next;
    release(queued);
  }
  channel->last = &channel->first;
}

int fairlead_serve(struct fairlead *channel) {
  transmit_text(channel, FAIRLEAD_READY, 0, 0, 0, "", NULL);
  do {
    for (struct queued *queued = take(channel, 0); queued; queued = take(channel, 0)) {
      handle(channel, &queued->frame);
      release(queued);
    }
    drop_rest(channel);
  } while (receive(channel));
  return channel->is_broken ? -1 : 0;
}

int fairlead_post(struct fairlead *channel, const char *name, const char *content) {
  return transmit_text(channel, FAIRLEAD_POST, 0, 0, channel->handling, name, content);
}

char *fairlead_send(struct fairlead *channel, const char *name, const char *content, const char **code) {
  uint32_t id = ++channel->last_id;
  *code = "connectionLost";
  if (transmit_text(channel, FAIRLEAD_REQUEST, 1, id, channel->handling, name, content)) return NULL;
  for (;;) {
    struct queued *queued = take(channel, id);
    if (!queued) {
      if (!receive(channel)) return NULL;
      continue;
    }
    uint8_t kind = queued->frame.kind;
    if (kind == FAIRLEAD_RESPONSE || kind == FAIRLEAD_ERROR) {
      char *answer = strndup(queued->frame.text, queued->frame.text_size);
      release(queued);
      *code = kind == FAIRLEAD_RESPONSE ? NULL : "failed";
      if (!*code) return answer;
      free(answer);
      return NULL;
    }
    handle(channel, &queued->frame);
    release(queued);
  }
}
