// SPDX-License-Identifier: Apache-2.0
// The tree against a plain vector.
#include "impl/eevdf/ordered_tree.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <vector>

namespace impl::eevdf {
namespace {

struct Reference {
  std::vector<TreeNode*> order;

  void insert(TreeNode& node) {
    auto at = order.begin();
    while (at != order.end() && !is_before(node.key, (*at)->key)) ++at;
    order.insert(at, &node);
  }
  TreeNode* first_with_value(u64 limit) const {
    for (TreeNode* node : order) {
      if (!is_before(limit, node->value)) return node;
    }
    return nullptr;
  }
  TreeNode* least_value_with_key(u64 limit) const {
    TreeNode* best = nullptr;
    for (TreeNode* node : order) {
      if (is_before(limit, node->key)) continue;
      if (best == nullptr || is_before(node->value, best->value)) best = node;
    }
    return best;
  }
};

/// Keys around a base (which may wrap), in a narrow range so that ties are common.
void compare(u64 base, u64 spread, unsigned seed) {
  std::mt19937_64 random(seed);
  std::deque<TreeNode> nodes(200);
  std::vector<TreeNode*> out;
  for (TreeNode& node : nodes) out.push_back(&node);
  OrderedTree tree;
  Reference reference;
  for (int step = 0; step < 4000; ++step) {
    if (!out.empty() && (reference.order.empty() || random() % 5 < 3)) {
      const std::size_t at = random() % out.size();
      TreeNode& node = *out[at];
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(at));
      node.key = base + random() % spread;
      node.value = base + random() % spread;
      node.tree_slice = random() % 50;
      tree.insert(node);
      reference.insert(node);
    } else {
      const std::size_t at = random() % reference.order.size();
      TreeNode& node = *reference.order[at];
      reference.order.erase(reference.order.begin() + static_cast<std::ptrdiff_t>(at));
      tree.erase(node);
      out.push_back(&node);
    }
    const u64 limit = base + random() % spread;
    const auto passes = [limit](u64 value) { return !is_before(limit, value); };
    ASSERT_EQ(tree.first_with_value(passes), reference.first_with_value(limit)) << step;
    ASSERT_EQ(tree.least_value_with_key(passes), reference.least_value_with_key(limit)) << step;
    std::vector<TreeNode*> order;
    for (TreeNode* node = tree.first(); node != nullptr; node = OrderedTree::next(node)) {
      order.push_back(node);
    }
    ASSERT_EQ(order, reference.order) << step;
    if (tree.empty()) continue;
    u64 least_value = order.front()->value;
    u64 least_slice = ~u64{0};
    u64 greatest_slice = 0;
    for (const TreeNode* node : order) {
      least_value = earlier_of(least_value, node->value);
      least_slice = std::min(least_slice, node->tree_slice);
      greatest_slice = std::max(greatest_slice, node->tree_slice);
    }
    ASSERT_EQ(tree.root()->least_value, least_value);
    ASSERT_EQ(tree.root()->least_slice, least_slice);
    ASSERT_EQ(tree.root()->greatest_slice, greatest_slice);
  }
}

TEST(OrderedTree, AgreesWithAVectorAndManyTies) { compare(0, 20, 1); }
TEST(OrderedTree, AgreesWithAVectorAndFewTies) { compare(1000, 1'000'000, 2); }
TEST(OrderedTree, AgreesWithAVectorAcrossTheWrap) { compare(~u64{0} - 30, 60, 3); }

}  // namespace
}  // namespace impl::eevdf
