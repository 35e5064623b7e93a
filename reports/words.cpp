// SPDX-License-Identifier: Apache-2.0
#include "reports/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "reports/metrics.h"

namespace fw::reports {
namespace {

/// Weights by nice -20..19, for reading only. Source: the kernel's table, unchanged since 2.6.23
/// (semantics/cfs-semantics.md section 2); a SCHED_IDLE task weighs 3 whatever its nice.
constexpr std::array<int, 40> weights = {
    88761, 71755, 56483, 46273, 36291, 29154, 23254, 18705, 14949, 11916, 9548, 7620, 6100, 4904,
    3906,  3121,  2501,  1991,  1586,  1277,  1024,  820,   655,   526,   423,  335,  272,  215,
    172,   137,   110,   87,    70,    56,    45,    36,    29,    23,    18,   15};

std::string join(const std::vector<std::string>& parts, std::string_view between) {
  return fmt::format("{}", fmt::join(parts, between));
}

std::string plural(std::int64_t count, std::string_view word) {
  return fmt::format("{} {}{}", grouped(count), word, count == 1 ? "" : "s");
}

std::string op_words(const Op& op) {
  switch (op.kind) {
    case OpKind::run:
    case OpKind::sleep:
      return fmt::format("{} {}", op_name(op.kind), format_duration(op.amount));
    case OpKind::runtime:
      return fmt::format("run until {} have passed", format_duration(op.amount));
    case OpKind::timer:
      return fmt::format("wait for {}timer {} of period {}",
                         op.absolute ? "absolute " : "",
                         op.ref,
                         format_duration(op.amount));
    case OpKind::wait:
      return fmt::format("wait on {} (mutex {})", op.ref, op.mutex);
    case OpKind::sync:
      return fmt::format("signal and wait on {} (mutex {})", op.ref, op.mutex);
    case OpKind::broad:
      return fmt::format("signal all on {}", op.ref);
    case OpKind::sem_post:
      return fmt::format("post semaphore {}", op.ref);
    case OpKind::sem_wait:
      return fmt::format("wait for semaphore {}", op.ref);
    case OpKind::suspend:
    case OpKind::yield:
      return std::string(op_name(op.kind));
    default:
      return fmt::format("{} {}", op_name(op.kind), op.ref);
  }
}

std::string times(std::int64_t loop) {
  if (loop < 0) return "for ever";
  return loop == 1 ? "once" : fmt::format("{} times", loop);
}

std::string nice_words(int nice, bool weighted) {
  const auto index = static_cast<std::size_t>(nice + 20);
  if (!weighted || index >= weights.size()) return fmt::format("nice {}", nice);
  return fmt::format("nice {} (weight {})", nice, weights[index]);
}

TaskWords task_words(const TaskDef& task, bool weighted) {
  TaskWords out;
  std::vector<std::string> who = {task.name};
  if (task.instances == 0) who[0] += " (only forked)";
  if (task.instances > 1) who[0] += fmt::format(" x{}", task.instances);
  if (task.sched_class == SchedClass::idle) {
    who.push_back(weighted ? "SCHED_IDLE (weight 3)" : "SCHED_IDLE");
  } else {
    who.push_back(nice_words(task.nice, weighted));
  }
  if (task.sched_class == SchedClass::batch) who.push_back("SCHED_BATCH");
  if (task.cpus) who.push_back("CPUs " + task.cpus->text());
  if (task.delay.ns != 0) who.push_back("starts after " + format_duration(task.delay));
  if (task.loop != 1) who.push_back("repeated " + times(task.loop));
  out.who = join(who, ", ");
  for (const Phase& phase : task.phases) {
    std::vector<std::string> does;
    if (phase.nice) does.push_back("set " + nice_words(*phase.nice, weighted));
    if (phase.cpus) does.push_back("move to CPUs " + phase.cpus->text());
    for (const Op& op : phase.ops) does.push_back(op_words(op));
    if (does.empty()) does.push_back("nothing");
    std::string line = join(does, ", ");
    if (task.phases.size() > 1 || phase.loop != 1) line += fmt::format("; {}", times(phase.loop));
    if (task.phases.size() > 1 && !phase.name.empty()) line = phase.name + ": " + line;
    out.does.push_back(std::move(line));
  }
  return out;
}

std::vector<std::string> workload_notes(const Workload& workload) {
  std::vector<std::string> out;
  const auto set_note = [&](const std::set<std::string>& names, std::string_view what) {
    if (!names.empty()) out.push_back(fmt::format("{}: {}", what, fmt::join(names, ", ")));
  };
  set_note(workload.threads, "forked as threads");
  set_note(workload.spinlocks, "locks that burn CPU instead of blocking");
  if (workload.barging) out.push_back("locks: the next taker may barge in");
  for (const auto& label : workload.labels) {
    out.push_back(fmt::format("{} is labelled {}", label.first, label.second));
  }
  const Costs& costs = workload.costs;
  if (costs != Costs{}) {
    out.push_back(fmt::format("costs: switch {}, cache refill {}, migration {}",
                              format_duration(costs.switch_cost),
                              format_duration(costs.cache_refill),
                              format_duration(costs.migration)));
  }
  if (workload.hz) out.push_back(fmt::format("HZ {}", *workload.hz));
  return out;
}

std::string trimmed(std::string_view text) {
  const std::size_t from = text.find_first_not_of(' ');
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(' ') - from + 1));
}

ChangedField changed_field(std::string_view line) {
  // From the right: task names may hold anything, the two values hold neither mark.
  constexpr std::string_view model_mark = ": model ", impl_mark = ", impl ";
  const std::size_t impl = line.rfind(impl_mark);
  const std::size_t model =
      impl == std::string_view::npos ? impl : line.substr(0, impl).rfind(model_mark);
  if (model == std::string_view::npos) return {trimmed(line), {}, {}};
  return {trimmed(line.substr(0, model)),
          std::string(line.substr(model + model_mark.size(), impl - model - model_mark.size())),
          trimmed(line.substr(impl + impl_mark.size()))};
}

}  // namespace

CaseWords case_words(const Case& kase) {
  CaseWords out;
  const bool weighted = kase.spec.policy == "cfs" || kase.spec.policy == "eevdf";
  std::string spec = kase.spec.text.empty() ? kase.spec.policy : kase.spec.text;
  out.where = fmt::format("{} on topology {}", spec, kase.topology);
  if (!kase.balance) out.where += ", no load balancing";
  if (kase.horizon.ns != 0) {
    out.where += ", for " + format_duration(kase.horizon);
  } else if (kase.workload.duration) {
    out.where += ", for " + format_duration(*kase.workload.duration);
  }
  for (const TaskDef& task : kase.workload.tasks) out.tasks.push_back(task_words(task, weighted));
  out.notes = workload_notes(kase.workload);
  if (!kase.mutant.empty()) out.notes.push_back("seeded fault: " + kase.mutant);
  return out;
}

std::vector<ChangedField> changed_fields(const Divergence& divergence) {
  std::vector<ChangedField> out;
  std::string_view rest = divergence.text;
  while (!rest.empty()) {
    const std::size_t line_end = std::min(rest.find('\n'), rest.find("; "));
    std::string_view line = rest.substr(0, line_end);
    rest = line_end >= rest.size() ? std::string_view{} : rest.substr(line_end + 1);
    if (!trimmed(line).empty()) out.push_back(changed_field(line));
  }
  return out;
}

std::string divergence_place(const Divergence& divergence) {
  if (divergence.event < 0) return {};
  return fmt::format(
      "at event {}, t = {}", divergence.event, format_duration(Duration{divergence.t.ns}));
}

std::string verdict_sentence(const Result& result) {
  std::string out = exit_word(result.status);
  std::vector<std::string> facts;
  if (!result.failures.empty()) {
    facts.push_back(plural(static_cast<std::int64_t>(result.failures.size()), "failure"));
  }
  if (!result.properties.empty()) {
    std::int64_t held = 0, falsified = 0;
    for (const PropertyResult& property : result.properties) {
      held += property.verdict == "held" ? 1 : 0;
      falsified += property.verdict == "falsified" ? 1 : 0;
    }
    facts.push_back(
        fmt::format("{} of {} held",
                    held,
                    plural(static_cast<std::int64_t>(result.properties.size()), "property check")));
    if (falsified > 0) facts.push_back(fmt::format("{} falsified", falsified));
  }
  const std::vector<std::string> missed = never_reached(result);
  if (!missed.empty()) {
    facts.push_back(plural(static_cast<std::int64_t>(missed.size()), "required situation") +
                    " never reached");
  }
  for (const char* status : {"proved", "refuted", "unknown", "failed"}) {
    const auto count = std::count_if(
        result.obligations.begin(), result.obligations.end(), [status](const ObligationResult& of) {
          return of.status == status;
        });
    if (count > 0) facts.push_back(fmt::format("{} {}", count, status));
  }
  if (!result.mutants.empty()) {
    const auto killed = std::count_if(result.mutants.begin(),
                                      result.mutants.end(),
                                      [](const MutantResult& mutant) { return mutant.killed; });
    facts.push_back(fmt::format("{} of {} mutants killed", killed, result.mutants.size()));
  }
  return facts.empty() ? out : out + ": " + join(facts, ", ");
}

std::string status_list(const Result& result) {
  std::vector<Exit> all = result.all_statuses;
  all.push_back(result.status);
  std::sort(
      all.begin(), all.end(), [](Exit a, Exit b) { return a != b && more_severe(a, b) == a; });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  // "held" beside something worse says nothing.
  if (all.size() > 1 && all.back() == Exit::held) all.pop_back();
  std::vector<std::string> words;
  for (const Exit status : all) {
    words.push_back(fmt::format("{} {}", static_cast<int>(status), exit_word(status)));
  }
  return join(words, ", ");
}

std::string size_sentence(const Failure& failure) {
  std::string out =
      fmt::format("{}, {}", plural(failure.tasks, "task"), plural(failure.events, "event"));
  if (failure.original_events > 0) {
    out += fmt::format("; reduced from {} in {}",
                       plural(failure.original_events, "event"),
                       plural(failure.oracle_calls, "oracle run"));
  }
  out += failure.budget_hit ? "; the reduction's budget ran out" : "";
  return out;
}

std::string solver_times(const ObligationResult& obligation) {
  std::string out;
  for (const ObligationResult::Engine& engine : obligation.engines) {
    out += fmt::format(
        "{}{} {} {:.2f}s", out.empty() ? "" : ", ", engine.solver, engine.verdict, engine.seconds);
  }
  return out;
}

std::vector<std::string> never_reached(const Result& result) {
  std::vector<std::string> out;
  for (const RequiredResult& required : result.required) {
    if (required.reached == 0) out.push_back(required.situation);
  }
  return out;
}

std::string effort_sentence(const Result& result) {
  std::string out =
      fmt::format("{}, {}", plural(result.cases, "case"), plural(result.events, "event"));
  const std::int64_t drawn = result.cases + result.discards;
  if (drawn > 0) {
    out += fmt::format(", {} ({:.1f} % of {} drawn)",
                       plural(result.discards, "discard"),
                       100.0 * static_cast<double>(result.discards) / static_cast<double>(drawn),
                       grouped(drawn));
  }
  out += fmt::format(" in {:.2f} s", result.seconds);
  if (result.seconds > 0) {
    const auto rate = [&](std::int64_t count) {
      return grouped(std::llround(static_cast<double>(count) / result.seconds));
    };
    out += fmt::format(" ({} cases/s, {} events/s)", rate(result.cases), rate(result.events));
  }
  if (result.generate_share + result.run_share + result.shrink_share > 0) {
    out += fmt::format("; time: generate {:.0f} %, run {:.0f} %, shrink {:.0f} %",
                       100 * result.generate_share,
                       100 * result.run_share,
                       100 * result.shrink_share);
  }
  return out;
}

std::string decision_words(const Recording& recording, const Decision& decision) {
  std::string out =
      fmt::format("{} {}", decision_name(decision.kind), task_name(recording, decision.task));
  const std::string why(why_name(decision.why));
  switch (decision.kind) {
    case DecisionKind::pick:
      out += fmt::format(" ({}) after {}", why, task_name(recording, decision.other));
      break;
    case DecisionKind::wake:
    case DecisionKind::fork:
      out += " by " + (decision.other.idle() ? why : task_name(recording, decision.other));
      if (decision.preempt) out += ", preempts";
      break;
    case DecisionKind::renice:
      out += fmt::format(" to nice {}", decision.nice);
      break;
    case DecisionKind::affinity:
      if (decision.cpus) out += " to CPUs " + decision.cpus->text();
      break;
    case DecisionKind::migrate:
      out += fmt::format(" from CPU {} ({})", decision.from.value, why);
      break;
    case DecisionKind::preempt:
      out += fmt::format(" ({})", why);
      break;
    default:
      break;
  }
  out += fmt::format(", nr {}", decision.nr);
  const std::size_t count = std::min(recording.log_keys.size(), decision.state.size());
  for (std::size_t i = decision.task.idle() ? recording.task_log_keys : 0; i < count; ++i) {
    const std::string_view word = state_word(recording.log_keys[i], decision.state[i]);
    out += ", " + recording.log_keys[i] + "=";
    out += word.empty() ? std::to_string(decision.state[i]) : std::string(word);
  }
  return out;
}

std::string grouped(std::int64_t number) {
  std::string out = fmt::format("{}", number);
  const std::size_t sign = number < 0 ? 1 : 0;
  for (std::size_t at = out.size(); at > sign + 3;) {
    at -= 3;
    out.insert(at, 1, ',');
  }
  return out;
}

std::string readable_ns(double ns) {
  const double size = std::fabs(ns);
  if (size == 0) return "0";
  if (size < 999.5) return fmt::format("{:.3g}ns", ns);
  if (size < 999.5e3) return fmt::format("{:.3g}us", ns / 1e3);
  if (size < 999.5e6) return fmt::format("{:.3g}ms", ns / 1e6);
  return size < 999.5e9 ? fmt::format("{:.3g}s", ns / 1e9) : fmt::format("{:.0f}s", ns / 1e9);
}

}  // namespace fw::reports
