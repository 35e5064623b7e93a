// SPDX-License-Identifier: Apache-2.0
#include "props/run/case_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "model/input/topology.h"
#include "props/run/difference.h"

namespace fw::run {
namespace {

constexpr std::uint64_t fnv_start = 14695981039346656037ull;
std::uint64_t fnv(std::uint64_t hash, std::uint64_t value) {
  return (hash ^ value) * 1099511628211ull;
}

std::uint64_t hash_decision(std::uint64_t hash, const Decision& d) {
  for (const auto value : {d.t.ns,
                           static_cast<std::int64_t>(d.cpu.value),
                           static_cast<std::int64_t>(d.kind),
                           static_cast<std::int64_t>(d.task.value),
                           static_cast<std::int64_t>(d.nr),
                           static_cast<std::int64_t>(d.other.value),
                           static_cast<std::int64_t>(d.why),
                           static_cast<std::int64_t>(d.preempt),
                           d.state[0],
                           d.state[1]}) {
    hash = fnv(hash, static_cast<std::uint64_t>(value));
  }
  return hash;
}

/// The checkers of one run, each with its place in the registry.
class Watch {
 public:
  Watch(const PolicyRow& row,
        const Setup& setup,
        const CaseOptions& options,
        std::vector<PropertyTally>& tallies)
      : tallies_(tallies) {
    const auto all = props::all_properties();
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].checker == nullptr || !applies_to(all[i], row)) continue;
      if (!options.only.empty() && options.only != all[i].id) continue;
      auto checker = all[i].checker();
      if (!checker->applies(setup)) {
        tallies_[i].not_applicable = true;
        continue;
      }
      tallies_[i].checked = true;
      entries_.push_back({i, std::move(checker)});
    }
  }

  std::optional<CaseFailure> after_event(const props::Moment& moment) {
    for (auto& [index, checker] : entries_) {
      if (auto violation = checker->after_event(moment)) {
        return failure(index, *violation, moment.event, moment.stimulus.t);
      }
    }
    return std::nullopt;
  }

  std::optional<CaseFailure> at_end(const View& last, std::int64_t event) {
    for (auto& [index, checker] : entries_) {
      if (auto violation = checker->at_end(last))
        return failure(index, *violation, event, last.now);
    }
    return std::nullopt;
  }

  void collect() {
    for (auto& [index, checker] : entries_) {
      if (checker->left_scope()) {
        tallies_[index].checked = false;
        tallies_[index].not_applicable = true;
      }
      tallies_[index].reached = checker->reached();
      if (tallies_[index].checked) tallies_[index].extreme = checker->extreme();
    }
  }

 private:
  static CaseFailure failure(std::size_t index,
                             const props::Violation& violation,
                             std::int64_t event,
                             Instant t) {
    const std::string id(props::all_properties()[index].id);
    return {id,
            signature_of(id, violation.kind),
            violation.what,
            Divergence{event, t, violation.what},
            violation.task};
  }
  std::vector<PropertyTally>& tallies_;
  std::vector<std::pair<std::size_t, std::unique_ptr<props::Checker>>> entries_;
};

/// One pass over the case: the watched side, the model beside it if asked, and the checkers.
class Pass {
 public:
  Pass(const PolicyRow& row, const Setup& setup, const CaseOptions& options, CaseRun& out)
      : schema_(row.info->schema),
        options_(options),
        out_(out),
        watch_(row, setup, options, out.tallies),
        watched_(options.on_model ? row.model(setup) : row.implementation(setup)) {
    if (options.lockstep && !options.on_model) model_ = row.model(setup);
    watched_->look(before_);
  }

  void run() {
    out_.log_hash = fnv_start;
    while (out_.stimuli < options_.max_stimuli) {
      const std::optional<Stimulus> stimulus = watched_->advance();
      if (model_ && differs(model_->advance(), stimulus)) break;
      if (!stimulus) {
        finish();
        break;
      }
      watched_->look(after_);
      if (model_ && views_differ(*stimulus)) break;
      for (const Decision& d : watched_->decisions())
        out_.log_hash = hash_decision(out_.log_hash, d);
      if (options_.checkers) {
        out_.failure =
            watch_.after_event({out_.stimuli, *stimulus, watched_->decisions(), before_, after_});
        if (out_.failure) break;
      }
      ++out_.stimuli;
      if (stimulus->counts) ++out_.events;
      std::swap(before_, after_);
    }
    if (out_.stimuli >= options_.max_stimuli) {
      out_.discard = fmt::format("the run is longer than {} stimuli", options_.max_stimuli);
    }
    watch_.collect();
  }

 private:
  void finish() {
    out_.discard = watched_->fault();
    if (model_ && model_->fault() != out_.discard) {
      lockstep_failure(
          {"fault", fmt::format("fault: model \"{}\", impl \"{}\"", model_->fault(), out_.discard)},
          before_.now);
      out_.discard.clear();
      return;
    }
    if (out_.discard.empty() && options_.checkers) {
      out_.failure = watch_.at_end(before_, out_.stimuli);
    }
  }

  bool differs(const std::optional<Stimulus>& model, const std::optional<Stimulus>& stimulus) {
    const auto found = compare_decisions(*model_, model, *watched_, stimulus, schema_);
    if (found) lockstep_failure(*found, stimulus ? stimulus->t : before_.now);
    return found.has_value();
  }

  bool views_differ(const Stimulus& stimulus) {
    model_->look(model_view_);
    const auto found = compare_views(model_view_, after_, *watched_, schema_);
    if (found) {
      lockstep_failure(
          {found->kind, fmt::format("after {}: {}", describe(stimulus, *watched_), found->text)},
          stimulus.t);
    }
    return found.has_value();
  }

  void lockstep_failure(const Difference& found, Instant t) {
    out_.failure = CaseFailure{"lockstep",
                               signature_of("lockstep", found.kind),
                               found.text,
                               Divergence{out_.stimuli, t, found.text},
                               std::nullopt};
  }

  const PolicySchema& schema_;
  const CaseOptions& options_;
  CaseRun& out_;
  Watch watch_;
  std::unique_ptr<Side> watched_;
  std::unique_ptr<Side> model_;
  View before_, after_, model_view_;
};

/// Runs the related setup beside the original on one side and compares decision by decision.
std::optional<CaseFailure> check_relation(const PolicyRow& row,
                                          const Setup& setup,
                                          std::uint64_t salt,
                                          const CaseOptions& options,
                                          const props::Property& property,
                                          PropertyTally& tally) {
  const auto relation = property.relation();
  const std::optional<Setup> varied = relation->variant(setup, salt);
  if (!varied) {
    tally.not_applicable = true;
    return std::nullopt;
  }
  tally.checked = true;
  const auto make = options.on_model ? row.model : row.implementation;
  const auto left = make(setup);
  const auto right = make(*varied);
  for (std::int64_t event = 0; event < options.max_stimuli; ++event) {
    const auto left_stimulus = left->advance();
    const auto right_stimulus = right->advance();
    if (!left_stimulus && !right_stimulus) break;
    std::optional<props::Violation> violation;
    const auto a = left_stimulus ? left->decisions() : std::span<const Decision>{};
    const auto b = right_stimulus ? right->decisions() : std::span<const Decision>{};
    for (std::size_t i = 0; i < std::min(a.size(), b.size()) && !violation; ++i) {
      tally.reached += 1;
      violation = relation->compare(a[i], b[i]);
    }
    if (!violation && (a.size() != b.size() || !left_stimulus || !right_stimulus)) {
      violation =
          props::Violation{"the related run takes a different number of decisions", "length"};
    }
    if (violation) {
      const Instant t = left_stimulus ? left_stimulus->t : right_stimulus->t;
      const std::string id(property.id);
      return CaseFailure{id,
                         signature_of(id, violation->kind),
                         violation->what,
                         Divergence{event, t, violation->what},
                         violation->task};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string signature_of(std::string_view property, std::string_view kind) {
  std::uint64_t hash = fnv_start;
  for (const char c : property) hash = fnv(hash, static_cast<unsigned char>(c));
  hash = fnv(hash, 0x1f);
  for (const char c : kind) hash = fnv(hash, static_cast<unsigned char>(c));
  return fmt::format("{:08x}", static_cast<std::uint32_t>(hash ^ (hash >> 32)));
}

bool applies_to(const props::Property& property, const PolicyRow& row) {
  return property.policy == "*" || property.policy == row.info->name;
}

Outcome<Setup> setup_of(const Case& c) {
  auto topology = input::read_topology(c.topology);
  if (!topology) return topology.error();
  Setup setup;
  setup.spec = c.spec;
  setup.topology = std::move(*topology);
  setup.balance = c.balance;
  setup.workload = c.workload;
  if (c.horizon.ns > 0) setup.end = Instant{} + c.horizon;
  return setup;
}

CaseRun run_case(const PolicyRow& row,
                 const Case& c,
                 const Setup& setup,
                 const CaseOptions& options) {
  CaseRun out;
  out.tallies.resize(props::all_properties().size());
  const bool wants_pass =
      options.only.empty() || options.only == "lockstep" ||
      std::any_of(props::all_properties().begin(),
                  props::all_properties().end(),
                  [&options](const props::Property& property) {
                    return property.id == options.only && property.checker != nullptr;
                  });
  if (wants_pass) {
    Pass pass(row, setup, options, out);
    pass.run();
  }
  if (!options.relations || out.failure || !out.discard.empty()) return out;
  const auto all = props::all_properties();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].relation == nullptr || !applies_to(all[i], row)) continue;
    if (!options.only.empty() && options.only != all[i].id) continue;
    out.failure =
        check_relation(row, setup, c.seed * 1000003 + c.index, options, all[i], out.tallies[i]);
    if (out.failure) break;
  }
  return out;
}

CaseRun run_case(const PolicyRow& row, const Case& c, const CaseOptions& options) {
  auto setup = setup_of(c);
  if (!setup) {
    CaseRun out;
    out.tallies.resize(props::all_properties().size());
    out.discard = setup.error().text();
    return out;
  }
  return run_case(row, c, *setup, options);
}

}  // namespace fw::run
