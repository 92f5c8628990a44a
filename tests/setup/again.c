// Loaded into mlir-tblgen or llvm-tblgen (LD_PRELOAD), it lets one process answer many calls: the program is loaded
// and linked once, and each call is a fork of it. A call of a small file then costs a fraction.
//
// A request on standard input: the length of what follows (32 bits), then fields that each end with a zero byte: the
// folder to work in, the file for standard output, the file for messages, the seconds that it may take, and the
// arguments. The answer on standard output: the status (32 bits), -1 after a signal.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef int (*Main)(int, char **, char **);
typedef int (*Start)(Main, int, char **, void (*)(void), void (*)(void), void (*)(void), void *);

static Main program;

static int read_all(char *to, size_t length) {
  while (length > 0) {
    ssize_t count = read(0, to, length);
    if (count <= 0)
      return 0;
    to += count;
    length -= (size_t)count;
  }
  return 1;
}

static void redirect(const char *path, int descriptor) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file < 0 || dup2(file, descriptor) < 0)
    _exit(126);
  close(file);
}

static int call(char *name, char *text, uint32_t length, char **environment) {
  char *fields[64] = {0};
  int count = 0;
  for (char *field = text; field < text + length && count < 63; ++field) {
    fields[count++] = field;
    while (*field)
      ++field;
  }
  if (count < 4 || chdir(fields[0]) != 0)
    _exit(126);
  redirect(fields[1], 1);
  redirect(fields[2], 2);
  int nothing = open("/dev/null", O_RDONLY);
  dup2(nothing, 0);
  close(nothing);
  alarm((unsigned)atoi(fields[3]));
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  fields[3] = name;
  return program(count - 3, fields + 3, environment);
}

static int serve(int argc, char **argv, char **environment) {
  (void)argc;
  for (;;) {
    uint32_t length;
    if (!read_all((char *)&length, sizeof length) || length > (1 << 20))
      return 0;
    char *text = calloc(length + 1, 1);
    if (!read_all(text, length))
      return 0;
    pid_t child = fork();
    if (child == 0)
      return call(argv[0], text, length, environment);
    free(text);
    int state, status = -1;
    if (child > 0 && waitpid(child, &state, 0) == child && WIFEXITED(state))
      status = WEXITSTATUS(state);
    if (write(1, &status, sizeof status) != sizeof status)
      return 0;
  }
}

int __libc_start_main(Main main, int argc, char **argv, void (*init)(void), void (*fini)(void), void (*leave)(void),
                      void *stack) {
  Start start = (Start)dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return start(serve, argc, argv, init, fini, leave, stack);
}
