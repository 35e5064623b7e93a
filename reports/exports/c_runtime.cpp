// SPDX-License-Identifier: Apache-2.0
#include "reports/exports/c_runtime.h"

namespace fw::exports {

const std::string_view c_types = R"c(#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum kind { RUN, RUNTIME, SLEEP, TIMER, TIMER_ABS, LOCK, UNLOCK, WAIT, SIGNAL, BROAD, SYNC,
            BARRIER, SUSPEND, RESUME, SEM_POST, SEM_WAIT, YIELD, FORK };
enum { KEEP_NICE = 100 };

/* ns: amount of time. a, b: places in the tables of resources or tasks. */
struct op { enum kind kind; long long ns; int a, b; };
/* loop: -1 for ever. cpus: NULL keeps what was allowed. */
struct phase { long loop; int nice; const char *cpus; const struct op *ops; int op_count; };
/* predicted: wakeup latency in the simulation, all instances together; -1: none. */
struct task { const char *name; int instances; long long delay_ns; long loop; int nice;
              const char *cpus; const struct phase *phases; int phase_count;
              long long predicted_p50, predicted_p99, predicted_max; };
)c";

const std::string_view c_interpreter = R"c(
enum { MOST_SAMPLES = 100000 };
static pthread_mutex_t locks[LOCKS + 1];
static pthread_cond_t conds[CONDS + 1];
static pthread_barrier_t barriers[BARRIERS + 1];
static sem_t sems[SEMS + 1];
static pthread_mutex_t resume_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t resume_cond[TASKS];
static unsigned long resumed[TASKS];
static pthread_mutex_t sample_lock[TASKS];
static long long *samples[TASKS];
static int sample_count[TASKS];
static pthread_barrier_t start_line;
static int warned;

static long long now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void until(long long at) {
  struct timespec t = {at / 1000000000LL, at % 1000000000LL};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
}

/* How late a timed wakeup was. */
static void sample(int task, long long planned) {
  long long late = now(CLOCK_MONOTONIC) - planned;
  pthread_mutex_lock(&sample_lock[task]);
  if (sample_count[task] < MOST_SAMPLES) samples[task][sample_count[task]++] = late < 0 ? 0 : late;
  pthread_mutex_unlock(&sample_lock[task]);
}

static void burn(clockid_t clock, long long ns) {
  long long end = now(clock) + ns;
  while (now(clock) < end) {}
}

static void set_nice(int nice_value) {
  if (nice_value == KEEP_NICE) return;
  if (setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), nice_value) != 0 && !warned) {
    warned = 1;
    fprintf(stderr, "nice %d was refused (needs root, or ulimit -e): %s\n", nice_value,
            strerror(errno));
  }
}

static void set_cpus(const char *list) {
  cpu_set_t set;
  char copy[4096], *save = NULL;
  if (list == NULL) return;
  CPU_ZERO(&set);
  snprintf(copy, sizeof copy, "%s", list);
  for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save))
    CPU_SET(atoi(word), &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0 && !warned) {
    warned = 1;
    fprintf(stderr, "CPUs %s are not all there: %s\n", list, strerror(errno));
  }
}

static void start_task(int task, int started_later);

static void do_op(int task, const struct op *op, long long *timer) {
  long long at;
  switch (op->kind) {
    case RUN: burn(CLOCK_THREAD_CPUTIME_ID, op->ns); break;
    case RUNTIME: burn(CLOCK_MONOTONIC, op->ns); break;
    case SLEEP:
      at = now(CLOCK_MONOTONIC) + op->ns;
      until(at);
      sample(task, at);
      break;
    case TIMER: case TIMER_ABS:
      if (timer[op->a] == 0) timer[op->a] = now(CLOCK_MONOTONIC);
      at = timer[op->a] + op->ns;
      if (at > now(CLOCK_MONOTONIC)) {
        until(at);
        sample(task, at);
      }
      timer[op->a] = op->kind == TIMER_ABS ? at : now(CLOCK_MONOTONIC);
      break;
    case LOCK: pthread_mutex_lock(&locks[op->a]); break;
    case UNLOCK: pthread_mutex_unlock(&locks[op->a]); break;
    case WAIT: pthread_cond_wait(&conds[op->a], &locks[op->b]); break;
    case SIGNAL: pthread_cond_signal(&conds[op->a]); break;
    case BROAD: pthread_cond_broadcast(&conds[op->a]); break;
    case SYNC:
      pthread_mutex_lock(&locks[op->b]);
      pthread_cond_signal(&conds[op->a]);
      pthread_cond_wait(&conds[op->a], &locks[op->b]);
      pthread_mutex_unlock(&locks[op->b]);
      break;
    case BARRIER: pthread_barrier_wait(&barriers[op->a]); break;
    case SUSPEND: {
      pthread_mutex_lock(&resume_lock);
      unsigned long seen = resumed[task];
      while (resumed[task] == seen) pthread_cond_wait(&resume_cond[task], &resume_lock);
      pthread_mutex_unlock(&resume_lock);
      break;
    }
    case RESUME:
      pthread_mutex_lock(&resume_lock);
      resumed[op->a]++;
      pthread_cond_broadcast(&resume_cond[op->a]);
      pthread_mutex_unlock(&resume_lock);
      break;
    case SEM_POST: sem_post(&sems[op->a]); break;
    case SEM_WAIT: while (sem_wait(&sems[op->a]) != 0 && errno == EINTR) {} break;
    case YIELD: sched_yield(); break;
    case FORK: start_task(op->a, 1); break;
  }
}

struct start { int task, later; };

static void *thread(void *argument) {
  struct start start = *(struct start *)argument;
  const struct task *task = &tasks[start.task];
  long long timer[TIMERS + 1] = {0};
  free(argument);
  set_nice(task->nice);
  set_cpus(task->cpus);
  if (!start.later) pthread_barrier_wait(&start_line);
  if (task->delay_ns > 0) until(now(CLOCK_MONOTONIC) + task->delay_ns);
  for (long round = 0; task->loop < 0 || round < task->loop; round++) {
    for (int p = 0; p < task->phase_count; p++) {
      const struct phase *phase = &task->phases[p];
      set_nice(phase->nice);
      set_cpus(phase->cpus);
      for (long i = 0; phase->loop < 0 || i < phase->loop; i++)
        for (int o = 0; o < phase->op_count; o++) do_op(start.task, &phase->ops[o], timer);
    }
  }
  return NULL;
}

static void start_task(int task, int started_later) {
  pthread_t handle;
  struct start *start = malloc(sizeof *start);
  if (start == NULL) abort();
  *start = (struct start){task, started_later};
  if (pthread_create(&handle, NULL, thread, start) != 0) {
    fprintf(stderr, "cannot create a thread for %s\n", tasks[task].name);
    exit(1);
  }
  pthread_detach(handle);
}

static int by_size(const void *a, const void *b) {
  long long x = *(const long long *)a, y = *(const long long *)b;
  return (x > y) - (x < y);
}

static void figure(long long ns) {
  if (ns < 0) printf(" %12s", "-");
  else printf(" %12.1f", ns / 1000.0);
}

static void report(void) {
  printf("%-20s %8s %12s %12s %12s | %12s %12s %12s\n", "wakeup latency, us", "wakeups",
         "p50", "p99", "max", "predicted p50", "p99", "max");
  for (int t = 0; t < TASKS; t++) {
    pthread_mutex_lock(&sample_lock[t]);
    int n = sample_count[t];
    qsort(samples[t], (size_t)n, sizeof *samples[t], by_size);
    printf("%-20s %8d", tasks[t].name, n);
    figure(n ? samples[t][(n - 1) / 2] : -1);
    figure(n ? samples[t][(int)((n * 99LL + 99) / 100) - 1] : -1);
    figure(n ? samples[t][n - 1] : -1);
    printf(" |");
    figure(tasks[t].predicted_p50);
    figure(tasks[t].predicted_p99);
    figure(tasks[t].predicted_max);
    printf("\n");
  }
  fflush(stdout);
}

int main(void) {
  unsigned threads = 1;
  for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&locks[i], NULL);
  for (int i = 0; i < CONDS; i++) pthread_cond_init(&conds[i], NULL);
  for (int i = 0; i < BARRIERS; i++)
    pthread_barrier_init(&barriers[i], NULL, barrier_users[i] ? barrier_users[i] : 1);
  for (int i = 0; i < SEMS; i++) sem_init(&sems[i], 0, 0);
  for (int t = 0; t < TASKS; t++) {
    pthread_cond_init(&resume_cond[t], NULL);
    pthread_mutex_init(&sample_lock[t], NULL);
    samples[t] = malloc(MOST_SAMPLES * sizeof *samples[t]);
    if (samples[t] == NULL) abort();
    threads += (unsigned)tasks[t].instances;
  }
  pthread_barrier_init(&start_line, NULL, threads);
  for (int t = 0; t < TASKS; t++)
    for (int i = 0; i < tasks[t].instances; i++) start_task(t, 0);
  pthread_barrier_wait(&start_line);
  until(now(CLOCK_MONOTONIC) + DURATION_NS);
  report();
  _exit(0);
}
)c";

}  // namespace fw::exports
