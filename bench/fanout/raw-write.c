// The physical limit of fan-out: accepts N connections, then write()s one frame to each of them, E times.
// Usage: raw-write <connections> <frame bytes>; prints its port, then reads commands: "<events> <gap in microseconds>".
// After each command it prints the CPU time that it used, in microseconds.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static long cpu(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec;
}

int main(int argc, char **argv) {
  int count = atoi(argv[1]), size = atoi(argv[2]), on = 1;
  int *sockets = calloc(count, sizeof(int));
  char *frame = malloc(size), skip[4096];
  (void)argc;
  int server = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof(address);
  if (bind(server, (struct sockaddr *)&address, length) || listen(server, 2048)) return 1;
  getsockname(server, (struct sockaddr *)&address, &length);
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  for (int i = 0; i < count; i++) {
    sockets[i] = accept(server, NULL, NULL);
    setsockopt(sockets[i], IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    if (read(sockets[i], skip, sizeof(skip)) < 0) return 1;
  }
  memset(frame, 'x', size);
  frame[size - 1] = '|';
  long events, gap;
  while (scanf("%ld %ld", &events, &gap) == 2) {
    long before = cpu();
    for (long event = 0; event < events; event++) {
      for (int i = 0; i < count; i++) {
        for (int sent = 0; sent < size;) {
          int wrote = write(sockets[i], frame + sent, size - sent);
          if (wrote < 0) return 1;
          sent += wrote;
        }
      }
      usleep(gap);
    }
    printf("%ld\n", cpu() - before);
    fflush(stdout);
  }
  return 0;
}
