// SPDX-License-Identifier: Apache-2.0
#include "props/properties/eevdf_newcomer.h"

#include "props/properties/eevdf_checker.h"

namespace fw::props {
namespace {

class Newcomer final : public eevdf::RulesChecker {
 public:
  std::optional<Violation> after_event(const Moment& m) override {
    if (m.stimulus.kind != StimulusKind::fork) return std::nullopt;
    const TaskView* child = eevdf::joiner(m);
    if (child == nullptr) return std::nullopt;
    const eevdf::Book& others = charged_book(m, child->cpu);
    const std::uint64_t average = others.average();
    if (!others.entries.empty()) reach();
    const std::uint64_t is = eevdf::get(*child, eevdf::vruntime);
    if (child->ints[eevdf::vlag] != 0 || is != average) {
      return eevdf::violation(
          "lag",
          child->id,
          fmt::format("task {} is new on CPU {} and starts at {} (lag {}) where V "
                      "is {}",
                      child->id.value,
                      child->cpu.value,
                      eevdf::wide(is),
                      child->ints[eevdf::vlag],
                      eevdf::wide(average)));
    }
    if (book(m.after, child->cpu).eligible(is)) return std::nullopt;
    return eevdf::violation(
        "not_eligible", child->id, fmt::format("task {} is new and not eligible", child->id.value));
  }
};

}  // namespace

std::unique_ptr<Checker> make_eevdf_newcomer() { return std::make_unique<Newcomer>(); }

}  // namespace fw::props
