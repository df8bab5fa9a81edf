/*
 * Runs a program under a seccomp filter, as systemd does for SystemCallFilter= with a list of allowed calls.
 *   run-confined errno|kill CALL… -- PROGRAM ARGUMENT…
 * Every other call fails with EPERM, or ends the process. A name that this machine's architecture does not have is
 * left out, as systemd leaves it out.
 */
#include <errno.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count < 4) return 2;
  int at = 2;
  uint32_t refusal = strcmp(arguments[1], "kill") == 0 ? SCMP_ACT_KILL_PROCESS : SCMP_ACT_ERRNO(EPERM);
  scmp_filter_ctx filter = seccomp_init(refusal);
  if (filter == NULL) return 3;
  for (; at < count && strcmp(arguments[at], "--") != 0; at++) {
    int call = seccomp_syscall_resolve_name(arguments[at]);
    if (call == __NR_SCMP_ERROR) continue;
    int failure = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
    if (failure != 0 && failure != -EDOM) {
      fprintf(stderr, "%s: %s\n", arguments[at], strerror(-failure));
      return 4;
    }
  }
  if (at + 1 >= count) return 2;
  int failure = seccomp_load(filter);
  if (failure != 0) {
    fprintf(stderr, "seccomp_load: %s\n", strerror(-failure));
    return 5;
  }
  execv(arguments[at + 1], arguments + at + 1);
  perror(arguments[at + 1]);
  return 6;
}
