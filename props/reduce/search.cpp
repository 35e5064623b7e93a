// SPDX-License-Identifier: Apache-2.0
#include "props/reduce/search.h"

#include <algorithm>

#include "props/reduce/cuts.h"

namespace fw::reduce {

Search::Search(const Case& original,
               const Oracle& oracle,
               const Budget& budget,
               const Progress& on_progress,
               const Options& options)
    : original_(original),
      oracle_(oracle),
      budget_(budget),
      on_progress_(on_progress),
      options_(options),
      best_(original) {}

const OracleAnswer* Search::ask(const Case& candidate) {
  std::string text = canonical_text(candidate);
  const auto found = known_.find(text);
  if (found != known_.end()) {
    ++cache_hits_;
    return &found->second;
  }
  spent_ =
      spent_ || calls_ >= budget_.max_calls || std::chrono::steady_clock::now() >= budget_.deadline;
  if (spent_) return nullptr;
  ++calls_;
  return &known_.emplace(std::move(text), oracle_(candidate)).first->second;
}

bool Search::start() {
  // The first run is made whatever the budget: without it there is nothing to hand back.
  ++calls_;
  const OracleAnswer answer = oracle_(original_);
  known_.emplace(canonical_text(original_), answer);
  if (answer.signature.empty()) return false;
  signature_ = original_.signature.empty() ? answer.signature : original_.signature;
  if (answer.signature != signature_) return false;
  best_.signature = signature_;
  best_.expected = answer.first;
  return true;
}

void Search::note_other(const OracleAnswer& answer, const Case& candidate) {
  const auto same = std::find_if(others_.begin(), others_.end(), [&](const Other& other) {
    return other.signature == answer.signature;
  });
  if (same != others_.end()) {
    ++same->seen;
    return;
  }
  Other other{answer.signature, candidate, 1};
  other.example.signature = answer.signature;
  other.example.expected = answer.first;
  others_.push_back(std::move(other));
}

bool Search::fails(const Case& candidate) {
  if (explodes(candidate, original_)) return false;
  const std::int64_t before = calls_;
  const OracleAnswer* answer = ask(candidate);
  if (answer == nullptr || answer->signature.empty()) return false;
  if (answer->signature == signature_) return true;
  if (calls_ != before) note_other(*answer, candidate);
  return false;
}

bool Search::attempt(Case candidate) {
  if (canonical_text(candidate) == canonical_text(best_)) return false;
  if (options_.info != nullptr) candidate.spec.text = spec_text(candidate.spec, *options_.info);
  if (!fails(candidate)) return false;
  best_ = std::move(candidate);
  best_.signature = signature_;
  best_.expected = known_.at(canonical_text(best_)).first;
  if (!quiet_) announce();
  return true;
}

bool Search::confirm() {
  known_.erase(canonical_text(best_));
  return fails(best_);
}

void Search::announce() {
  if (on_progress_) on_progress_(best_, statistics());
}

bool Search::apply_most(std::size_t count, const Apply& apply) {
  const Case start = best_;
  std::vector<bool> done(count, false);
  bool any = false;
  const auto attempt_range = [&](std::size_t begin, std::size_t end) {
    std::vector<bool> trial = done;
    for (std::size_t i = begin; i < end; ++i) trial[i] = true;
    std::optional<Case> candidate = apply(start, trial);
    if (!candidate || !attempt(std::move(*candidate))) return false;
    done = std::move(trial);
    any = true;
    return true;
  };
  if (!thorough_) {
    // Halves; the later one first: what comes late is most often of no account for a failure. When
    // a range could not be done and one half of it could, the other half need not be asked as a
    // whole. (Where that is not so, the thorough rounds find it.)
    const std::function<bool(std::size_t, std::size_t, bool)> halve =
        [&](std::size_t begin, std::size_t end, bool refused) {
          if (spent_) return false;
          if (!refused && attempt_range(begin, end)) return true;
          if (end - begin == 1) return false;
          const std::size_t middle = begin + (end - begin) / 2;
          const bool late = halve(middle, end, false);
          halve(begin, middle, late);
          return false;
        };
    if (count > 0) halve(0, count, false);
    return any;
  }
  for (bool progress = true; progress && !spent_;) {
    progress = false;
    for (std::size_t i = count; i-- > 0 && !spent_;) {
      if (!done[i]) progress |= attempt_range(i, i + 1);
    }
  }
  return any;
}

bool Search::edit_most(const std::vector<Edit>& edits) {
  // Only edits that change something take part: the others would cost calls and say nothing.
  std::vector<Edit> useful;
  for (const Edit& edit : edits) {
    Case probe = best_;
    if (edit(probe)) useful.push_back(edit);
  }
  if (useful.empty()) return false;
  return apply_most(useful.size(), [&](const Case& start, const std::vector<bool>& flags) {
    Case out = start;
    for (std::size_t i = 0; i < useful.size(); ++i) {
      if (flags[i]) useful[i](out);
    }
    return std::optional<Case>(std::move(out));
  });
}

Statistics Search::statistics() const {
  Statistics out;
  out.calls = calls_;
  out.cache_hits = cache_hits_;
  out.original_events = count_events(original_);
  out.events = count_events(best_);
  out.original_tasks = static_cast<std::int64_t>(original_.workload.tasks.size());
  out.tasks = static_cast<std::int64_t>(best_.workload.tasks.size());
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  return out;
}

}  // namespace fw::reduce
