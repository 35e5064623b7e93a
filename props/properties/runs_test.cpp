// SPDX-License-Identifier: Apache-2.0
// Every property on real runs of both sides: no checker may blame a correct scheduler, and each
// must meet its situation.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "model/input/topology.h"
#include "props/bridge/policies.h"
#include "props/gen/generate.h"
#include "props/properties/cfs_view.h"
#include "props/properties/property.h"

namespace fw::props {
namespace {

const PolicyRow& row_named(std::string_view name) {
  for (const PolicyRow& row : bridge::policies()) {
    if (row.info->name == name) return row;
  }
  return bridge::policies().front();
}

fw::Setup setup_of(const Case& c) {
  fw::Setup out;
  out.spec = c.spec;
  auto topology = input::read_topology(c.topology);
  EXPECT_TRUE(topology.ok());
  if (topology) out.topology = *topology;
  out.balance = c.balance;
  out.workload = c.workload;
  if (c.horizon.ns > 0) out.end = Instant{} + c.horizon;
  return out;
}

using Make = std::unique_ptr<Side> (*)(const fw::Setup&);
using Reached = std::map<std::string_view, std::int64_t>;

/// Runs one side under every checker; the situations met are added up.
void watch(Make make, const fw::Setup& setup, const std::string& name, Reached& reached) {
  std::vector<std::pair<const Property*, std::unique_ptr<Checker>>> checkers;
  for (const Property& property : all_properties()) {
    if (property.checker == nullptr) continue;
    if (property.policy != "*" && property.policy != setup.spec.policy) continue;
    auto checker = property.checker();
    if (checker->applies(setup)) checkers.emplace_back(&property, std::move(checker));
  }
  const auto side = make(setup);
  View before;
  View after;
  side->look(before);
  std::int64_t event = 0;
  while (const auto stimulus = side->advance()) {
    side->look(after);
    const Moment moment{event++, *stimulus, side->decisions(), before, after};
    for (const auto& entry : checkers) {
      const auto bad = entry.second->after_event(moment);
      ASSERT_FALSE(bad) << name << ", event " << event << ", " << entry.first->id << ": "
                        << bad->what << " (" << setup.spec.text << ")";
    }
    std::swap(before, after);
  }
  ASSERT_EQ(side->fault(), "") << name;
  for (const auto& entry : checkers) {
    const auto bad = entry.second->at_end(before);
    ASSERT_FALSE(bad) << name << ", " << entry.first->id << ": " << bad->what;
    reached[entry.first->id] += entry.second->reached();
    const auto extreme = entry.second->extreme();
    if (!extreme) continue;
    EXPECT_LE(extreme->worst, extreme->bound) << name << ", " << entry.first->id;
  }
}

bool speaks_of(const Property& property, std::string_view policy) {
  return property.policy == "*" || property.policy == policy;
}

void watch_campaign(std::string_view policy, Make make, std::uint64_t seed) {
  Reached reached;
  const PolicyRow& row = row_named(policy);
  for (std::uint64_t index = 0; index < 250; ++index) {
    gen::GenOptions options;
    options.slices = policy == "eevdf";
    const Case c = gen::generate(*row.info, seed, index, options);
    watch(make, setup_of(c), "case " + std::to_string(index), reached);
    if (testing::Test::HasFatalFailure()) return;
  }
  for (const Property& property : all_properties()) {
    if (property.checker != nullptr && speaks_of(property, policy)) {
      EXPECT_GT(reached[property.id], 0) << property.id << " never met " << property.situation;
    }
  }
}

TEST(Runs, TheModelKeepsEveryProperty) {
  for (const char* policy : {"cfs", "eevdf"}) watch_campaign(policy, row_named(policy).model, 11);
}

TEST(Runs, TheImplementationKeepsEveryProperty) {
  for (const char* policy : {"cfs", "eevdf"}) {
    watch_campaign(policy, row_named(policy).implementation, 12);
  }
}

TEST(Runs, TheModelKeepsEveryRelation) {
  const PolicyRow& row = row_named("cfs");
  std::map<std::string_view, std::int64_t> compared;
  for (std::uint64_t index = 0; index < 100; ++index) {
    const fw::Setup setup = setup_of(gen::generate(*row.info, 13, index));
    for (const Property& property : all_properties()) {
      if (property.relation == nullptr) continue;
      const auto relation = property.relation();
      const auto varied = relation->variant(setup, index * 77);
      if (!varied) continue;
      const auto left = row.model(setup);
      const auto right = row.model(*varied);
      for (;;) {
        const auto a = left->advance();
        const auto b = right->advance();
        ASSERT_EQ(a.has_value(), b.has_value()) << property.id << " case " << index;
        if (!a) break;
        ASSERT_EQ(left->decisions().size(), right->decisions().size()) << property.id;
        for (std::size_t i = 0; i < left->decisions().size(); ++i) {
          const auto bad = relation->compare(left->decisions()[i], right->decisions()[i]);
          ASSERT_FALSE(bad) << property.id << " case " << index << ": " << bad->what;
          compared[property.id] += 1;
        }
      }
    }
  }
  EXPECT_EQ(compared.size(), 4u);
}

TEST(Schema, NamesThePlacesThatTheCheckersRead) {
  const PolicySchema& schema = row_named("cfs").info->schema;
  const std::map<std::size_t, std::string_view> tasks = {{cfs::vruntime, "vruntime"},
                                                         {cfs::exec_start, "exec_start"},
                                                         {cfs::prev_sum_exec, "prev_sum_exec"}};
  for (const auto& [place, name] : tasks) EXPECT_EQ(schema.task_ints[place], name);
  const std::map<std::size_t, std::string_view> cpus = {{cfs::clock, "clock"},
                                                        {cfs::min_vruntime, "min_vruntime"},
                                                        {cfs::next, "next"},
                                                        {cfs::last, "last"},
                                                        {cfs::leftmost, "leftmost"},
                                                        {cfs::cpu_load0, "cpu_load0"},
                                                        {cfs::cpu_load4, "cpu_load4"},
                                                        {cfs::avg_idle, "avg_idle"},
                                                        {cfs::idle_stamp, "idle_stamp"},
                                                        {cfs::next_balance, "next_balance"},
                                                        {cfs::exec_clock, "exec_clock"},
                                                        {cfs::nr_spread_over, "nr_spread_over"}};
  ASSERT_EQ(schema.cpu_ints.size(), static_cast<std::size_t>(cfs::cpu_ints));
  for (const auto& [place, name] : cpus) EXPECT_EQ(schema.cpu_ints[place], name);
  ASSERT_EQ(schema.domain_ints.size(), static_cast<std::size_t>(cfs::domain_ints));
  EXPECT_EQ(schema.domain_ints[cfs::last_balance], "last_balance");
  EXPECT_EQ(schema.domain_ints[cfs::nr_balance_failed], "nr_balance_failed");
}

}  // namespace
}  // namespace fw::props
