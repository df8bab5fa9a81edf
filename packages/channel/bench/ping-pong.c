/*
 * Baseline of a round trip: two processes that only read and write a socketpair, or, with the argument "pipes", two
 * pipes, which is what FIFOs are once they are open. It reads lines "rounds bytes" and prints the microseconds per
 * round trip.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static char bytes[1 << 20];

static void receive(int fd, size_t size) {
  for (size_t got = 0; got < size;) {
    ssize_t count = read(fd, bytes + got, size - got);
    if (count <= 0) exit(0);
    got += (size_t)count;
  }
}

static void transmit(int fd, size_t size) {
  for (size_t put = 0; put < size;) {
    ssize_t count = write(fd, bytes + put, size - put);
    if (count <= 0) exit(0);
    put += (size_t)count;
  }
}

/* Opens the ends of both processes: each reads the first and writes the second. */
static int open_ends(int is_pipes, int ours[2], int theirs[2]) {
  int there[2], back[2];
  if (!is_pipes) {
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, there)) return -1;
    ours[0] = ours[1] = there[0];
    theirs[0] = theirs[1] = there[1];
    return 0;
  }
  if (pipe(there) || pipe(back)) return -1;
  theirs[0] = there[0];
  ours[1] = there[1];
  ours[0] = back[0];
  theirs[1] = back[1];
  return 0;
}

static void close_ends(int ends[2]) {
  close(ends[0]);
  if (ends[1] != ends[0]) close(ends[1]);
}

int main(int count, char **arguments) {
  int is_pipes = count > 1 && strcmp(arguments[1], "pipes") == 0;
  long rounds;
  size_t size;
  while (scanf("%ld %zu", &rounds, &size) == 2 && size <= sizeof bytes) {
    int ours[2], theirs[2];
    if (open_ends(is_pipes, ours, theirs)) return 1;
    if (fork() == 0) {
      close_ends(ours);
      for (;;) {
        receive(theirs[0], size);
        transmit(theirs[1], size);
      }
    }
    close_ends(theirs);
    struct timespec start, end;
    for (long round = -rounds / 10; round < rounds; round++) {
      if (round == 0) clock_gettime(CLOCK_MONOTONIC, &start);
      transmit(ours[1], size);
      receive(ours[0], size);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    close_ends(ours);
    double taken = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
    printf("%.4f\n", taken / 1e3 / (double)rounds);
    fflush(stdout);
  }
  return 0;
}
