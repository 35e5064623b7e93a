// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/set.hpp>
#include <cstddef>

namespace impl {

using TreeHook =
    boost::intrusive::set_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;
using ListHook =
    boost::intrusive::list_member_hook<boost::intrusive::link_mode<boost::intrusive::normal_link>>;

/// Entities ordered by a strict weak order that may wrap; equals keep their order of insertion. The
/// leftmost and rightmost are cached by the tree's header. Entities must not change their key while
/// they are in.
template <class Entity, TreeHook Entity::*Hook, class Before>
class Timeline {
 public:
  void insert(Entity& entity) { tree_.insert_equal(entity); }
  void erase(Entity& entity) { tree_.erase(tree_.iterator_to(entity)); }
  Entity* leftmost() { return tree_.empty() ? nullptr : &*tree_.begin(); }
  Entity* rightmost() { return tree_.empty() ? nullptr : &*tree_.rbegin(); }
  const Entity* leftmost() const { return tree_.empty() ? nullptr : &*tree_.begin(); }
  bool empty() const { return tree_.empty(); }
  auto begin() const { return tree_.begin(); }
  auto end() const { return tree_.end(); }

 private:
  struct Insertable
      : boost::intrusive::multiset<Entity,
                                   boost::intrusive::member_hook<Entity, TreeHook, Hook>,
                                   boost::intrusive::compare<Before>,
                                   boost::intrusive::constant_time_size<false>> {
    void insert_equal(Entity& entity) { this->insert(entity); }
  };
  Insertable tree_;
};

/// Entities in order of insertion, newest first.
template <class Entity, ListHook Entity::*Hook>
class TaskList {
 public:
  void push_front(Entity& entity) { list_.push_front(entity); }
  void erase(Entity& entity) { list_.erase(list_.iterator_to(entity)); }
  bool empty() const { return list_.empty(); }
  auto begin() { return list_.begin(); }
  auto end() { return list_.end(); }

 private:
  boost::intrusive::list<Entity,
                         boost::intrusive::member_hook<Entity, ListHook, Hook>,
                         boost::intrusive::constant_time_size<false>>
      list_;
};

}  // namespace impl
