// SPDX-License-Identifier: Apache-2.0
// Load balancing (section 7; CHOICE page).
#include "model/policy/o1/work.h"
#include "model/rules/o1_balance.h"

namespace fw::model::o1 {

namespace ro = rules::o1;

void Work::balance_pass() {
  const int cpu = event_.cpu.value;
  queue(cpu).balance_due = false;
  load_balance(cpu, queue(cpu).on_cpu.idle(), Why::periodic);
}

std::uint64_t Work::node_nr_running(int node) {
  std::uint64_t out = 0;
  for (const int cpu : config_.nodes[static_cast<std::size_t>(node)]) {
    out += queue(cpu).nr_running();
  }
  return out;
}

/// The node search: the node to pull from, or -1. Renews what this CPU remembers of the nodes.
int Work::busiest_node(int cpu) {
  std::vector<std::uint64_t>& loads = queue(cpu).prev_node_load;
  const auto own = static_cast<std::size_t>(config_.node_of_cpu[static_cast<std::size_t>(cpu)]);
  for (std::size_t node = 0; node < loads.size(); ++node) {
    loads[node] = ro::node_load(loads[node], node_nr_running(static_cast<int>(node)));
  }
  int answer = -1;
  std::uint64_t best = loads[own];
  for (std::size_t node = 0; node < loads.size(); ++node) {
    if (node == own ||
        !ro::node_overloaded(loads[node], best, loads[own], config_.node_threshold)) {
      continue;
    }
    best = loads[node];
    answer = static_cast<int>(node);
  }
  return answer;
}

/// Step 1: the CPUs looked at, ascending.
std::vector<int> Work::candidates(int cpu) {
  const auto own = static_cast<std::size_t>(config_.node_of_cpu[static_cast<std::size_t>(cpu)]);
  if (!config_.numa()) return config_.nodes[own];
  Queue& q = queue(cpu);
  if (++q.nr_balanced != config_.node_balance_rate) return config_.nodes[own];
  q.nr_balanced = 0;
  const int node = busiest_node(cpu);
  if (node < 0) return config_.nodes[own];
  std::vector<int> out;
  for (int other = 0; other < config_.cpus; ++other) {
    const bool there = config_.node_of_cpu[static_cast<std::size_t>(other)] == node;
    if (there || other == cpu) out.push_back(other);
  }
  return out;
}

void Work::load_balance(int cpu, bool idle, Why why) {
  const std::vector<int> looked_at = candidates(cpu);
  Queue& q = queue(cpu);
  const std::uint64_t mine =
      ro::own_load(q.nr_running(), q.prev_nr_running[static_cast<std::size_t>(cpu)], idle);
  std::uint64_t best = ro::least_best;
  int busiest = -1;
  for (const int other : looked_at) {
    std::uint64_t& before = q.prev_nr_running[static_cast<std::size_t>(other)];
    const std::uint64_t load = ro::other_load(queue(other).nr_running(), before, idle);
    before = queue(other).nr_running();
    if (load <= best || other == cpu) continue;
    best = load;
    busiest = other;
  }
  if (busiest < 0) return;
  const std::uint64_t imbalance = ro::imbalance(best, mine, idle);
  if (imbalance == 0 || !ro::worth_locking(queue(busiest).nr_running(), mine)) return;
  pull(queue(busiest), cpu, idle ? 1 : imbalance, why);
}

/// Steps 6 and 7: expired ones first, the best priority first, the last of a list first.
void Work::pull(Queue& from, int to, std::uint64_t most, Why why) {
  std::uint64_t moved = 0;
  for (const std::vector<Entry>& array : {from.expired, from.active}) {
    for (std::size_t begin = 0, end = 0; begin < array.size(); begin = end) {
      while (end < array.size() && array[end].prio == array[begin].prio) ++end;
      for (std::size_t at = end; at-- > begin;) {
        Task& p = task(array[at].task);
        const bool may_move =
            p.id != from.curr && p.allowed.contains(CpuId{to}) &&
            ro::cache_cold(event_.jiffies, p.sleep_timestamp, config_.cache_decay);
        if (!may_move) continue;
        const int source = p.cpu;
        dequeue(p);
        p.cpu = to;
        enqueue(p, Place::active);
        check_preempt(p);
        record_migration(p, source, why);
        if (++moved == most) return;
      }
    }
  }
}

}  // namespace fw::model::o1
