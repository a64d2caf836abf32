#include "apiserver/containers/container_log.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/mutex.h"

namespace kube::apiserver::internal {
namespace {

bool EndsLine(absl::string_view text) { return !text.empty() && text.back() == '\n'; }

}  // namespace

void ContainerLog::AppendLine(absl::string_view text, absl::Time now) {
  if (lines_.empty() || EndsLine(lines_.back().text)) {
    lines_.push_back({.time = now, .text = std::string(text)});
  } else {
    absl::StrAppend(&lines_.back().text, text);
  }
  bytes_ += text.size();
  while (bytes_ > max_bytes_ && lines_.size() > 1) {
    bytes_ -= lines_.front().text.size();
    lines_.pop_front();
    ++first_;
  }
}

void ContainerLog::Append(absl::string_view text, absl::Time now) {
  {
    base::MutexLock lock(mutex_);
    ended_ = ended_for_good_;
    while (!text.empty()) {
      const size_t feed = text.find('\n');
      const size_t size = feed == absl::string_view::npos ? text.size() : feed + 1;
      AppendLine(text.substr(0, size), now);
      text.remove_prefix(size);
    }
  }
  Notify();
}

void ContainerLog::End() {
  {
    base::MutexLock lock(mutex_);
    ended_ = true;
  }
  Notify();
}

void ContainerLog::EndForGood() {
  {
    base::MutexLock lock(mutex_);
    ended_ = ended_for_good_ = true;
  }
  Notify();
}

ContainerLog::Piece ContainerLog::Read(Position from, size_t max_bytes) const {
  Piece piece;
  base::MutexLock lock(mutex_);
  if (from.line < first_) from = {.line = first_, .offset = 0};
  size_t bytes = 0;
  while (from.line - first_ < static_cast<int64_t>(lines_.size())) {
    const Line& line = lines_[static_cast<size_t>(from.line - first_)];
    if (from.offset < line.text.size()) {
      if (bytes >= max_bytes) {
        piece.more = true;
        break;
      }
      piece.chunks.push_back({.time = line.time,
                              .text = line.text.substr(from.offset),
                              .begins_line = from.offset == 0});
      bytes += piece.chunks.back().text.size();
      from.offset = line.text.size();
    }
    if (!EndsLine(line.text)) break;
    from = {.line = from.line + 1, .offset = 0};
  }
  piece.next = from;
  piece.ended = ended_ && !piece.more;
  return piece;
}

ContainerLog::Position ContainerLog::Tail(std::optional<int64_t> lines) const {
  base::MutexLock lock(mutex_);
  const auto count = static_cast<int64_t>(lines_.size());
  if (!lines.has_value()) return {.line = first_, .offset = 0};
  if (*lines > 0) return {.line = first_ + std::max<int64_t>(count - *lines, 0), .offset = 0};
  if (lines_.empty() || EndsLine(lines_.back().text)) return {.line = first_ + count, .offset = 0};
  return {.line = first_ + count - 1, .offset = lines_.back().text.size()};
}

std::shared_ptr<void> ContainerLog::Watch(std::function<void()> changed) {
  auto watcher = std::make_shared<const Watcher>(std::move(changed));
  base::MutexLock lock(mutex_);
  watchers_.erase(std::remove_if(watchers_.begin(), watchers_.end(),
                                 [](const auto& each) { return each.expired(); }),
                  watchers_.end());
  watchers_.push_back(watcher);
  return std::const_pointer_cast<Watcher>(watcher);
}

void ContainerLog::Notify() {
  std::vector<std::weak_ptr<const Watcher>> watchers;
  {
    base::MutexLock lock(mutex_);
    watchers = watchers_;
  }
  for (const auto& each : watchers) {
    if (const auto watcher = each.lock()) (*watcher)();
  }
}

}  // namespace kube::apiserver::internal
