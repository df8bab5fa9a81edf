/*
 * The channel's app side for C: over the descriptors that FAIRLEAD_XPC names, as docs/PROTOCOL.md has it.
 * One thread; contents and answers are JSON text, to be read with whatever the app reads JSON with. What comes as
 * attachments (bytes) is not handed to a handler; long
 * texts come in the JSON, as this side does not say that it takes them otherwise.
 */
#ifndef FAIRLEAD_H
#define FAIRLEAD_H

#include <stddef.h>
#include <stdint.h>

enum fairlead_kind {
  FAIRLEAD_HELLO = 1,
  FAIRLEAD_REQUEST,
  FAIRLEAD_RESPONSE,
  FAIRLEAD_ERROR,
  FAIRLEAD_POST,
  FAIRLEAD_CANCEL,
  FAIRLEAD_READY,
  FAIRLEAD_BYE
};

/* One frame; name and text are not terminated, and point into the bytes that were read. */
struct fairlead_frame {
  uint8_t kind, encoding, blocked;
  uint32_t id, parent;
  const char *name, *text;
  size_t name_size, text_size;
  /* What stands before the text of a body with attachments: their count, their lengths, their bytes. Encoding 4 where
     one of them is a text. */
  const uint8_t *attachments;
  size_t attachments_size;
};

/* Reads the frame that follows its length; 0, or -1 when it breaks the protocol. */
int fairlead_parse(const uint8_t *bytes, size_t size, struct fairlead_frame *frame);

/* Writes a frame with its length into a new buffer, or returns NULL; the caller frees it. */
uint8_t *fairlead_write(const struct fairlead_frame *frame, size_t *size);

/* Packets in, frames and acknowledgements out. Zero it before its first use. */
struct fairlead_reader {
  uint8_t header[8], *partial;
  size_t header_size, packet_left, partial_size, partial_room;
};

/*
 * Takes bytes until a frame is whole or they are used up; moves *at on. Returns 1 with a frame that lives until the
 * next call, 0 when more bytes are needed, 2 with an acknowledgement, -1 when they break the protocol.
 */
int fairlead_read(struct fairlead_reader *reader, const uint8_t *bytes, size_t size, size_t *at,
                  struct fairlead_frame *frame, uint64_t *acknowledged);

struct fairlead;

/* Answers a message: returns JSON from malloc, or NULL for no answer; sets *error to words of its own to fail. */
typedef char *fairlead_handler(struct fairlead *channel, const char *content, void *data, const char **error);

/* NULL when the app does not run under test. */
struct fairlead *fairlead_open(void);
void fairlead_on(struct fairlead *channel, const char *name, fairlead_handler *handler, void *data);
/* Says that the handlers are there, and answers until the test is gone: 0, or -1 when it broke the protocol. */
int fairlead_serve(struct fairlead *channel);
/* Sends a message that nobody answers; content is JSON or NULL. 0, or -1 when the test is gone. */
int fairlead_post(struct fairlead *channel, const char *name, const char *content);
/* Sends a message to the test, and serves until it is answered. JSON from malloc; NULL with *code set on failure. */
char *fairlead_send(struct fairlead *channel, const char *name, const char *content, const char **code);

#endif
