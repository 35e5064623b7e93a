// SPDX-License-Identifier: Apache-2.0
#include "props/bridge/policies.h"

#include <array>

#include "impl/base/fault.h"
#include "impl/bench/bench.h"
#include "model/machine/cfs_model.h"
#include "model/machine/eevdf_model.h"
#include "model/policy/cfs/catalog.h"
#include "model/policy/eevdf/catalog.h"
#include "model/vocab/fault.h"
#include "props/bridge/impl_side.h"

namespace fw::bridge {
namespace {

std::span<const PolicyRow> rows() {
  static const std::array<PolicyRow, 2> table = {
      PolicyRow{&model::cfs_info(), model::make_cfs_model, make_cfs_impl},
      PolicyRow{&model::eevdf_info(), model::make_eevdf_model, make_eevdf_impl},
  };
  return table;
}

}  // namespace

std::span<const PolicyRow> policies() { return rows(); }

std::span<const PolicyInfo* const> catalogue() {
  static const std::vector<const PolicyInfo*> infos = [] {
    std::vector<const PolicyInfo*> out;
    for (const PolicyRow& row : rows()) out.push_back(row.info);
    return out;
  }();
  return infos;
}

const PolicyRow& row_of(const PolicySpec& spec) {
  for (const PolicyRow& row : rows()) {
    if (row.info->name == spec.policy) return row;
  }
  FW_EXPECT(false);  // a checked spec names a known policy
  return rows().front();
}

std::vector<BenchmarkResult> bench_driver(double seconds_each) {
  std::vector<BenchmarkResult> out;
  for (const impl::bench::Row& row : impl::bench::run(seconds_each)) {
    out.push_back({row.name,
                   row.n,
                   row.ours,
                   row.peer,
                   row.peer_name,
                   row.unit,
                   row.peer > 0 ? row.ours / row.peer : 0});
  }
  return out;
}

bool plant_fault(std::string_view id) {
#ifdef FW_FAULTS
  fw::planted_fault = id.empty() ? 0 : fault_hash(id);
  impl::active_fault = id.empty() ? 0 : impl::fault_key(id);
  return true;
#else
  return id.empty();
#endif
}

}  // namespace fw::bridge
