// SPDX-License-Identifier: Apache-2.0
#include "reports/json.h"

#include <nlohmann/json.hpp>

#include "reports/metrics.h"
#include "reports/words.h"

namespace fw::reports {
namespace {

using Json = nlohmann::ordered_json;

/// A list made by `make` from each of `from`; `[]`, not null, when there is nothing.
template <class From, class Make>
Json list(const From& from, Make make) {
  Json out = Json::array();
  for (const auto& each : from) out.push_back(make(each));
  return out;
}

Json property(const PropertyResult& of) {
  return {{"name", of.name},
          {"policy", of.policy},
          {"verdict", of.verdict},
          {"worst", of.worst},
          {"bound", of.bound},
          {"slack", of.slack},
          {"cases", of.cases},
          {"discards", of.discards},
          {"not_applicable", of.not_applicable}};
}

Json divergence(const Divergence& of) {
  return {{"event", of.event}, {"t", of.t.ns}, {"text", of.text}};
}

Json failure(const Failure& of) {
  return {
      {"property", of.property},
      {"policy", of.policy},
      {"signature", of.signature},
      {"message", of.message},
      {"case", of.case_file},
      {"reproduce", of.reproduce},
      {"original_events", of.original_events},
      {"events", of.events},
      {"tasks", of.tasks},
      {"oracle_calls", of.oracle_calls},
      {"budget_hit", of.budget_hit},
      {"blame", of.blame},
      {"divergence", divergence(of.divergence)},
      {"chain",
       list(of.chain,
            [](const PassedOver& step) {
              return Json{
                  {"t", step.t.ns}, {"task", step.task}, {"why", step.why}, {"keys", step.keys}};
            })},
      {"notes", of.notes}};
}

Json obligation(const ObligationResult& of) {
  Json out = {{"name", of.name},
              {"policy", of.policy},
              {"status", of.status},
              {"expected", of.expected},
              {"reason", of.reason},
              {"about", of.about},
              {"scope", of.scope}};
  out["bound_ns"] = of.bound ? Json(*of.bound) : Json(nullptr);
  out["unit"] = of.unit;
  out["at"] = of.at;
  out["formula"] = of.formula;
  out["tight"] = of.tightness == "exact" || of.tightness == "supremum";
  out["tightness"] = of.tightness;
  out["slack"] = of.slack;
  out["witness"] = of.witness;
  out["assumptions"] = of.assumptions;
  out["engines"] = list(of.engines, [](const ObligationResult::Engine& engine) {
    return Json{{"solver", engine.solver},
                {"version", engine.version},
                {"verdict", engine.verdict},
                {"seconds", engine.seconds}};
  });
  out["negative_control"] = of.negative_control;
  out["vacuity"] = of.vacuity;
  out["certificate"] = of.certificate;
  return out;
}

Json mutant(const MutantResult& of) {
  return {{"id", of.id},
          {"policy", of.policy},
          {"about", of.about},
          {"both_sides", of.both_sides},
          {"killed", of.killed},
          {"property", of.property},
          {"killed_without_lockstep", of.killed_without_lockstep},
          {"property_without_lockstep", of.property_without_lockstep},
          {"cases", of.cases},
          {"seconds", of.seconds},
          {"tasks", of.tasks},
          {"events", of.events}};
}

Json benchmark(const BenchmarkResult& of) {
  return {{"name", of.name},
          {"n", of.n},
          {"ours", of.ours},
          {"peer", of.peer},
          {"peer_name", of.peer_name},
          {"unit", of.unit},
          {"ratio", of.ratio}};
}

Json range(const MetricResult::Range& of) {
  return {{"low", of.low}, {"median", of.median}, {"high", of.high}};
}

Json comparison(const ComparisonResult& of) {
  Json out = {{"base", of.base},
              {"patched", of.patched},
              {"workload", of.workload},
              {"first", nullptr},
              {"cases", of.cases},
              {"decisions", of.decisions},
              {"case", of.case_file},
              {"original_events", of.original_events},
              {"events", of.events},
              {"tasks", of.tasks},
              {"oracle_calls", of.shrink_runs},
              {"seeds", of.seeds}};
  if (of.first) {
    out["first"] = {{"t", of.first->t.ns},
                    {"cpu", of.first->cpu.value},
                    {"decided_alike", of.first->decided_alike},
                    {"kind", of.first->kind},
                    {"base", of.first->base},
                    {"patched", of.first->patched},
                    {"base_keys", of.first->base_keys},
                    {"patched_keys", of.first->patched_keys},
                    {"first_state", of.first->first_state}};
  }
  out["metrics"] = list(of.metrics, [](const MetricResult& metric) {
    return Json{{"name", metric.name},
                {"unit", metric.unit},
                {"base", range(metric.base)},
                {"patched", range(metric.patched)},
                {"up", metric.up},
                {"down", metric.down},
                {"equal", metric.equal},
                {"significant", metric.significant}};
  });
  return out;
}

Json rule(const RuleResult& of) {
  Json skipped = Json::object();
  for (const auto& cause : of.skipped) skipped[cause.first] = cause.second;
  return {{"rule", of.rule},
          {"policy", of.policy},
          {"checked", of.checked},
          {"explained", of.explained},
          {"contested", of.contested},
          {"unexplained", of.checked - of.explained},
          {"skipped", skipped},
          {"misses", list(of.misses, [](const RuleResult::Miss& miss) {
             return Json{{"line", miss.line},
                         {"t", miss.t.ns},
                         {"task", miss.task},
                         {"reason", miss.reason}};
           })}};
}

Json latency(const Latency& of) {
  return {{"count", of.count},
          {"p50_ns", of.p50_ns},
          {"p90_ns", of.p90_ns},
          {"p99_ns", of.p99_ns},
          {"max_ns", of.max_ns}};
}

Json run(const Recording& recording) {
  const Metrics metrics = measure(recording);
  Json out = {{"title", recording.title},
              {"spec", recording.spec},
              {"failure", recording.failure},
              {"cpus", metrics.cpus},
              {"end_ns", metrics.end_ns},
              {"decisions", recording.decisions.size()},
              {"busy", metrics.busy},
              {"switches", metrics.switches},
              {"migrations", metrics.migrations},
              {"wait", latency(metrics.wait)},
              {"wakeup", latency(metrics.wakeup)}};
  if (metrics.worst_spread) out["worst_spread"] = *metrics.worst_spread;
  if (metrics.spread_bound) out["spread_bound"] = *metrics.spread_bound;
  out["tasks"] = list(metrics.tasks, [](const TaskMetrics& task) {
    return Json{{"task", task.name},
                {"runs", task.runs},
                {"run_ns", task.run_ns},
                {"share", task.share},
                {"wakeups", task.wakeups},
                {"preempted", task.preempted},
                {"migrations", task.migrations},
                {"waiting_at_end_ns", task.waiting_at_end_ns},
                {"wait", latency(task.wait)},
                {"wakeup", latency(task.wakeup)}};
  });
  return out;
}

}  // namespace

std::string json(const Result& result) {
  std::vector<Exit> statuses = result.all_statuses;
  if (statuses.empty()) statuses.push_back(result.status);
  Json out;
  out["schema"] = "fairwitness.result/1";
  out["command"] = result.command;
  out["command_line"] = result.command_line;
  out["verdict"] = exit_word(result.status);
  out["exit"] = static_cast<int>(result.status);
  out["statuses"] = list(statuses, [](Exit status) {
    return Json{{"exit", static_cast<int>(status)}, {"verdict", exit_word(status)}};
  });
  out["seed"] = result.seed;
  out["cases"] = result.cases;
  out["events"] = result.events;
  out["discards"] = result.discards;
  out["seconds"] = result.seconds;
  out["shares"] = {{"generate", result.generate_share},
                   {"run", result.run_share},
                   {"shrink", result.shrink_share}};
  out["policies"] = result.policies;
  out["properties"] = list(result.properties, property);
  out["obligations"] = list(result.obligations, obligation);
  out["failures"] = list(result.failures, failure);
  out["required"] = list(result.required, [](const RequiredResult& required) {
    return Json{{"situation", required.situation}, {"reached", required.reached}};
  });
  out["rules"] = list(result.rules, rule);
  out["comparisons"] = list(result.comparisons, comparison);
  out["benchmarks"] = list(result.benchmarks, benchmark);
  out["mutants"] = list(result.mutants, mutant);
  out["published"] = Json::array();
  out["runs"] = list(result.recordings, run);
  out["notes"] = result.notes;
  out["identity"] = Json::object();
  for (const auto& entry : result.identity) out["identity"][entry.first] = entry.second;
  // Names are bytes from users' files: what is not UTF-8 is replaced, never an exception.
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fw::reports
