/*
 * The channel's app side for C, over the descriptors in FAIRLEAD_XPC; docs/PROTOCOL.md specifies the protocol.
 * It is single-threaded. Contents and answers are JSON text, which the app parses with a JSON library of its choice.
 * Binary attachments are not passed to handlers. Long texts arrive in the JSON, because this side does not announce
 * support for text attachments.
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

/* One frame. `name` and `text` are not NUL-terminated and point into the bytes that were read. */
struct fairlead_frame {
  uint8_t kind, encoding, blocked;
  uint32_t id, parent;
  const char *name, *text;
  size_t name_size, text_size;
  /* The part of a body before its JSON: count, lengths and bytes of the attachments. The encoding is 4 if one of them
     is a text. */
  const uint8_t *attachments;
  size_t attachments_size;
};

/* Parses the bytes of a frame after its length. Returns 0, or -1 if it breaks the protocol. */
int fairlead_parse(const uint8_t *bytes, size_t size, struct fairlead_frame *frame);

/* Writes a frame with its length into a new buffer, which the caller frees. Returns NULL on failure. */
uint8_t *fairlead_write(const struct fairlead_frame *frame, size_t *size);

/* Converts packets to frames and acknowledgements. It must be zeroed before its first use. */
struct fairlead_reader {
  uint8_t header[8], *partial;
  size_t header_size, packet_left, partial_size, partial_room;
};

/*
 * Consumes bytes, advancing *at, until a frame is complete or no bytes are left. Returns 1 with a frame that is valid
 * until the next call, 0 if more bytes are needed, 2 with an acknowledgement, -1 if the bytes break the protocol.
 */
int fairlead_read(struct fairlead_reader *reader, const uint8_t *bytes, size_t size, size_t *at,
                  struct fairlead_frame *frame, uint64_t *acknowledged);

struct fairlead;

/* Handles a message. Returns JSON allocated by malloc, or NULL for no answer; to fail, it sets *error to a message. */
typedef char *fairlead_handler(struct fairlead *channel, const char *content, void *data, const char **error);

/* Returns NULL if the app does not run under test. */
struct fairlead *fairlead_open(void);
void fairlead_on(struct fairlead *channel, const char *name, fairlead_handler *handler, void *data);
/* Sends READY and answers messages until the test is gone. Returns 0, or -1 if the test broke the protocol. */
int fairlead_serve(struct fairlead *channel);
/* Sends a message without waiting for an answer; content is JSON or NULL. Returns 0, or -1 if the test is gone. */
int fairlead_post(struct fairlead *channel, const char *name, const char *content);
/* Sends a message and handles others until it is answered. Returns JSON allocated by malloc, or NULL with *code set. */
char *fairlead_send(struct fairlead *channel, const char *name, const char *content, const char **code);

#endif
