/* An app in C for the tests. */
#include "fairlead.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *echo(struct fairlead *channel, const char *content, void *data, const char **error) {
  (void)channel, (void)data, (void)error;
  return *content ? strdup(content) : NULL;
}

static char *descend(struct fairlead *channel, const char *content, void *data, const char **error) {
  (void)data;
  long depth = strtol(content, NULL, 10);
  char text[32];
  if (depth == 0) return strdup("0");
  snprintf(text, sizeof text, "%ld", depth - 1);
  const char *code;
  char *below = fairlead_send(channel, "descend", text, &code);
  if (!below) {
    *error = code;
    return NULL;
  }
  snprintf(text, sizeof text, "%ld", strtol(below, NULL, 10) + 1);
  free(below);
  return strdup(text);
}

static char *fail(struct fairlead *channel, const char *content, void *data, const char **error) {
  (void)channel, (void)content, (void)data;
  *error = "out of C";
  return NULL;
}

static char *say(struct fairlead *channel, const char *content, void *data, const char **error) {
  (void)data, (void)error;
  long count = strtol(content, NULL, 10);
  for (long index = 0; index < count; index++) {
    char text[48];
    snprintf(text, sizeof text, "{\"index\":%ld}", index);
    fairlead_post(channel, "said", text);
  }
  return NULL;
}

int main(void) {
  struct fairlead *channel = fairlead_open();
  if (!channel) {
    puts("not under test");
    return 0;
  }
  fairlead_on(channel, "echo", echo, NULL);
  fairlead_on(channel, "descend", descend, NULL);
  fairlead_on(channel, "fail", fail, NULL);
  fairlead_on(channel, "say", say, NULL);
  return fairlead_serve(channel) ? 1 : 0;
}
