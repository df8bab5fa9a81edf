/*
 * Baseline of a round trip: two processes that only read and write a socketpair. It reads lines "rounds bytes" and
 * prints the microseconds per round trip.
 */
#include <stdio.h>
#include <stdlib.h>
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

int main(void) {
  long rounds;
  size_t size;
  while (scanf("%ld %zu", &rounds, &size) == 2 && size <= sizeof bytes) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    if (fork() == 0) {
      close(ends[0]);
      for (;;) {
        receive(ends[1], size);
        transmit(ends[1], size);
      }
    }
    close(ends[1]);
    struct timespec start, end;
    for (long round = -rounds / 10; round < rounds; round++) {
      if (round == 0) clock_gettime(CLOCK_MONOTONIC, &start);
      transmit(ends[0], size);
      receive(ends[0], size);
    }
    clock_gettime(CLOCK_MONOTONIC, &end);
    close(ends[0]);
    double taken = (double)(end.tv_sec - start.tv_sec) * 1e9 + (double)(end.tv_nsec - start.tv_nsec);
    printf("%.4f\n", taken / 1e3 / (double)rounds);
    fflush(stdout);
  }
  return 0;
}
