// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "impl/base/check.h"
#include "impl/base/fixed_point.h"

namespace impl::eevdf {

/// What a queued entity shows the tree. Set key, value and slice before insert(); they must not
/// change while the entity is in.
struct TreeNode {
  u64 key = 0;    ///< the order, on the wrapping line
  u64 value = 0;  ///< whose subtree minimum is kept, on the wrapping line
  u64 tree_slice = 0;
  u64 least_value = 0;
  u64 least_slice = 0;
  u64 greatest_slice = 0;
  TreeNode* left = nullptr;
  TreeNode* right = nullptr;
  TreeNode* parent = nullptr;
  u64 rank = 0;
};

/// Entities in order of their keys, equals in order of insertion, each subtree knowing its least
/// value and its least and greatest slice. A treap whose ranks come from a counter: the same
/// operations always build the same tree, and no answer depends on its shape.
/// insert, erase and the searches are O(log n).
class OrderedTree {
 public:
  bool empty() const { return root_ == nullptr; }
  const TreeNode* root() const { return root_; }
  TreeNode* first() const { return root_ == nullptr ? nullptr : leftmost(root_); }
  static TreeNode* next(TreeNode* node) {
    if (node->right != nullptr) return leftmost(node->right);
    while (node->parent != nullptr && node->parent->right == node) node = node->parent;
    return node->parent;
  }

  void insert(TreeNode& node) {
    node.left = node.right = node.parent = nullptr;
    node.rank = next_rank();
    TreeNode** link = &root_;
    while (*link != nullptr) {
      node.parent = *link;
      const bool goes_left = IMPL_FAULT(E12_equal_keys_reversed)
                                 ? !is_before((*link)->key, node.key)
                                 : is_before(node.key, (*link)->key);
      link = goes_left ? &(*link)->left : &(*link)->right;
    }
    *link = &node;
    refresh(node);
    while (node.parent != nullptr && node.parent->rank < node.rank) {
      rotate_up(node);
    }
    refresh_upwards(node.parent);
  }

  void erase(TreeNode& node) {
    IMPL_CHECK(node.parent != nullptr || root_ == &node);
    while (node.left != nullptr || node.right != nullptr) {
      TreeNode* heir = node.left;
      if (heir == nullptr || (node.right != nullptr && node.right->rank > heir->rank))
        heir = node.right;
      rotate_up(*heir);
    }
    TreeNode* parent = node.parent;
    (parent == nullptr ? root_ : parent->left == &node ? parent->left : parent->right) = nullptr;
    node.parent = nullptr;
    refresh_upwards(parent);
  }

  /// The first entity in key order whose value passes; null when none does. `passes` must hold for
  /// every value before one for which it holds.
  template <class Passes>
  TreeNode* first_with_value(Passes passes) const {
    TreeNode* node = root_;
    if (node == nullptr || !passes(node->least_value)) return nullptr;
    for (;;) {
      if (node->left != nullptr && passes(node->left->least_value)) {
        node = node->left;
      } else if (passes(node->value)) {
        return node;
      } else {
        node = node->right;
      }
    }
  }

  /// The entity of least value among those whose keys pass; of equals the first in key order; null
  /// when no key passes. `passes` must hold for every key before one for which it holds.
  template <class Passes>
  TreeNode* least_value_with_key(Passes passes) const {
    TreeNode* best = nullptr;
    bool in_subtree = false;  // best stands for the least of its whole subtree
    u64 least = 0;
    const auto offer = [&](TreeNode* node, u64 value, bool subtree) {
      if (best != nullptr && !is_before(value, least)) return;
      best = node;
      least = value;
      in_subtree = subtree;
    };
    for (TreeNode* node = root_; node != nullptr;) {
      if (!passes(node->key)) {
        node = node->left;
        continue;
      }
      if (node->left != nullptr) offer(node->left, node->left->least_value, true);
      offer(node, node->value, false);
      node = node->right;
    }
    while (in_subtree) {
      if (best->left != nullptr && best->left->least_value == least) {
        best = best->left;
      } else if (best->value == least) {
        in_subtree = false;
      } else {
        best = best->right;
      }
    }
    return best;
  }

 private:
  static TreeNode* leftmost(TreeNode* node) {
    while (node->left != nullptr) node = node->left;
    return node;
  }

  u64 next_rank() {  // splitmix64 of a counter
    u64 z = counter_ += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }

  static void refresh(TreeNode& node) {
    node.least_value = node.value;
    node.least_slice = node.greatest_slice = node.tree_slice;
    for (const TreeNode* child : {node.left, node.right}) {
      if (child == nullptr) continue;
      node.least_value = earlier_of(node.least_value, child->least_value);
      node.least_slice = std::min(node.least_slice, child->least_slice);
      node.greatest_slice = std::max(node.greatest_slice, child->greatest_slice);
    }
  }

  static void refresh_upwards(TreeNode* node) {
    for (; node != nullptr; node = node->parent) refresh(*node);
  }

  /// Puts a node in its parent's place and the parent below it.
  void rotate_up(TreeNode& node) {
    TreeNode& parent = *node.parent;
    TreeNode* above = parent.parent;
    (above == nullptr ? root_ : above->left == &parent ? above->left : above->right) = &node;
    node.parent = above;
    const bool from_left = parent.left == &node;
    TreeNode*& inner = from_left ? node.right : node.left;
    (from_left ? parent.left : parent.right) = inner;
    if (inner != nullptr) inner->parent = &parent;
    inner = &parent;
    parent.parent = &node;
    refresh(parent);
    refresh(node);
  }

  TreeNode* root_ = nullptr;
  u64 counter_ = 0;
};

}  // namespace impl::eevdf
