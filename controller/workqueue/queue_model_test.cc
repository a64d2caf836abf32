// Compares queues with simple models of them in random operations. The FIFO model has the sets and
// slices of client-go, and the priority model the items of controller-runtime.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/prometheus.h"
#include "apimachinery/base/runtime.h"
#include "apimachinery/base/testing/fake_clock.h"
#include "controller/workqueue/queue.h"
#include "controller/workqueue/queue_options.h"
#include "controller/workqueue/queue_status.h"
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::workqueue {
namespace {

// All times are milliseconds of the test's clock.
class Model {
 public:
  virtual ~Model() = default;
  virtual void Add(const std::string& key, int priority, int64_t when, int64_t now) = 0;
  virtual std::string Get(int64_t now) = 0;
  virtual void Done(const std::string& key) = 0;
  virtual void Pass(int64_t now) = 0;
  virtual size_t length() const = 0;
  virtual size_t delayed() const = 0;
  virtual void DropDelayed() = 0;
  // What Queue::status returns.
  virtual std::map<int16_t, size_t> ready() const = 0;
  virtual std::string oldest() const = 0;  // empty if no key is ready
  virtual std::optional<int64_t> next_due() const = 0;
};

// Models client-go's queue.go and delaying_queue.go.
class FifoModel final : public Model {
 public:
  void Add(const std::string& key, int, int64_t when, int64_t now) override {
    if (when <= now) return AddNow(key);
    const auto it = waiting_.find(key);
    if (it == waiting_.end() || when < it->second.first) waiting_[key] = {when, count_};
    ++count_;
  }
  std::string Get(int64_t) override {
    std::string key = queue_.front();
    queue_.pop_front();
    processing_.insert(key);
    dirty_.erase(key);
    return key;
  }
  void Done(const std::string& key) override {
    processing_.erase(key);
    if (dirty_.contains(key)) queue_.push_back(key);
  }
  void Pass(int64_t now) override {
    std::vector<std::tuple<int64_t, int64_t, std::string>> due;
    for (const auto& [key, when] : waiting_) {
      if (when.first <= now) due.emplace_back(when.first, when.second, key);
    }
    std::sort(due.begin(), due.end());
    for (const auto& [when, count, key] : due) {
      waiting_.erase(key);
      AddNow(key);
    }
  }
  size_t length() const override { return queue_.size(); }
  size_t delayed() const override { return waiting_.size(); }
  void DropDelayed() override { waiting_.clear(); }
  std::map<int16_t, size_t> ready() const override {
    if (queue_.empty()) return {};
    return {{int16_t{0}, queue_.size()}};
  }
  std::string oldest() const override { return queue_.empty() ? "" : queue_.front(); }
  std::optional<int64_t> next_due() const override {
    std::optional<int64_t> next;
    for (const auto& [key, when] : waiting_) next = std::min(next.value_or(when.first), when.first);
    return next;
  }

 private:
  void AddNow(const std::string& key) {
    if (dirty_.insert(key).second && !processing_.contains(key)) queue_.push_back(key);
  }
  std::deque<std::string> queue_;
  std::set<std::string> dirty_;
  std::set<std::string> processing_;
  std::map<std::string, std::pair<int64_t, int64_t>> waiting_;
  int64_t count_ = 0;
};

// Models controller-runtime's priorityqueue.go, and ageing, which that does not have.
class PriorityModel final : public Model {
 public:
  explicit PriorityModel(int64_t ageing) : ageing_(ageing) {}

  void Add(const std::string& key, int priority, int64_t when, int64_t now) override {
    std::optional<int64_t> ready_at;
    if (when > now) ready_at = when;
    const auto it = items_.find(key);
    if (it == items_.end()) {
      items_[key] = {.priority = priority, .count = count_++, .ready_at = ready_at};
      if (!ready_at.has_value()) BecomesReady(key, now);
      return;
    }
    Item& item = it->second;
    const bool was_delayed = item.ready_at.has_value();
    if (!item.ready_at.has_value() || !ready_at.has_value()) {
      item.ready_at.reset();
    } else {
      item.ready_at = std::min(*item.ready_at, *ready_at);
    }
    if (priority > item.priority) {
      item.priority = priority;
      item.count = count_++;
    }
    if (was_delayed && !item.ready_at.has_value()) BecomesReady(key, now);
  }
  std::string Get(int64_t now) override {
    const Entry* first = Best();
    const Entry* aged = Oldest();
    const bool has_aged = ageing_ > 0 && now - aged->second.since >= ageing_;
    took_for_age_ = has_aged && !took_for_age_ && aged != first;
    std::string key = took_for_age_ ? aged->first : first->first;
    locked_.insert(key);
    items_.erase(key);
    return key;
  }
  void Done(const std::string& key) override {
    locked_.erase(key);
    const auto it = items_.find(key);
    if (it != items_.end() && !it->second.ready_at.has_value()) it->second.turn = turns_++;
  }
  void Pass(int64_t now) override {
    std::vector<std::tuple<int64_t, int, int64_t, std::string>> due;
    for (const auto& [key, item] : items_) {
      if (item.ready_at.has_value() && *item.ready_at <= now) {
        due.emplace_back(*item.ready_at, -item.priority, item.count, key);
      }
    }
    std::sort(due.begin(), due.end());
    for (const auto& [when, priority, count, key] : due) {
      items_[key].ready_at.reset();
      items_[key].count = count_++;
      BecomesReady(key, when);
    }
  }
  size_t length() const override {
    return std::count_if(items_.begin(), items_.end(),
                         [this](const auto& item) { return IsReady(item); });
  }
  size_t delayed() const override {
    return std::count_if(items_.begin(), items_.end(),
                         [](const auto& item) { return item.second.ready_at.has_value(); });
  }
  void DropDelayed() override {
    std::erase_if(items_, [](const auto& item) { return item.second.ready_at.has_value(); });
  }
  std::map<int16_t, size_t> ready() const override {
    std::map<int16_t, size_t> result;
    for (const auto& item : items_) {
      if (IsReady(item)) ++result[static_cast<int16_t>(item.second.priority)];
    }
    return result;
  }
  std::string oldest() const override {
    const Entry* entry = Oldest();
    return entry == nullptr ? "" : entry->first;
  }
  std::optional<int64_t> next_due() const override {
    std::optional<int64_t> next;
    for (const auto& [key, item] : items_) {
      if (!item.ready_at.has_value()) continue;
      next = std::min(next.value_or(*item.ready_at), *item.ready_at);
    }
    return next;
  }

 private:
  struct Item {
    int priority = 0;
    int64_t count = 0;
    std::optional<int64_t> ready_at = {};
    int64_t since = 0;  // when it was added or became due
    int64_t turn = 0;   // in the order in which keys became ready
  };
  using Entry = std::pair<const std::string, Item>;

  // The key is no longer delayed.
  void BecomesReady(const std::string& key, int64_t since) {
    items_[key].since = since;
    if (!locked_.contains(key)) items_[key].turn = turns_++;
  }
  bool IsReady(const Entry& item) const {
    return !item.second.ready_at.has_value() && !locked_.contains(item.first);
  }
  const Entry* Best() const {
    const Entry* best = nullptr;
    for (const auto& item : items_) {
      if (!IsReady(item)) continue;
      if (best == nullptr || std::pair(-item.second.priority, item.second.count) <
                                 std::pair(-best->second.priority, best->second.count)) {
        best = &item;
      }
    }
    return best;
  }
  const Entry* Oldest() const {
    const Entry* first = nullptr;
    for (const auto& item : items_) {
      if (!IsReady(item)) continue;
      if (first == nullptr || item.second.turn < first->second.turn) first = &item;
    }
    return first;
  }

  const int64_t ageing_;  // zero: off
  std::map<std::string, Item> items_;
  std::set<std::string> locked_;
  int64_t count_ = 0;
  int64_t turns_ = 0;
  bool took_for_age_ = false;
};

struct Shape {
  const char* name;
  QueueOrder order;
  size_t keys;
  size_t workers;
  bool metrics;
  int64_t ageing = 0;  // milliseconds
};

class Trial {
 public:
  Trial(const Shape& shape, uint64_t seed)
      : shape_(shape), dice_(seed), scope_(clock_), queue_(OptionsOf(shape)) {
    if (shape.order == QueueOrder::kFifo) {
      model_ = std::make_unique<FifoModel>();
    } else {
      model_ = std::make_unique<PriorityModel>(shape.ageing);
    }
  }

  void Steps(int n) {
    for (int i = 0; i < n && !testing::Test::HasFailure(); ++i) Step();
  }

  // Checks that all remaining keys come out in order, and that the queue is empty then.
  void End() {
    model_->Pass(now_);
    model_->DropDelayed();
    queue_.ShutDown();
    queue_.Add("too late");
    while (!items_.empty() || model_->length() > 0) {
      while (model_->length() > 0 && !testing::Test::HasFailure()) Get();
      if (testing::Test::HasFailure()) return;
      Done(dice_.Below(items_.size()));
    }
    EXPECT_EQ(queue_.length(), 0u);
    EXPECT_EQ(queue_.delayed(), 0u);
  }

 private:
  static QueueOptions OptionsOf(const Shape& shape) {
    QueueOptions options = {.order = shape.order, .ageing = absl::Milliseconds(shape.ageing)};
    if (shape.metrics) {
      options.name = "model";
      options.metrics = std::make_shared<base::PrometheusRegistry>();
    }
    return options;
  }

  void Step() {
    model_->Pass(now_);
    switch (dice_.Below(10)) {
      case 0:
      case 1:
      case 2:
        return Add(0);
      case 3:
      case 4:
        return Add(static_cast<int64_t>(dice_.Below(8)));
      case 5: {
        const auto step = static_cast<int64_t>(dice_.Below(4));
        now_ += step;
        clock_.Step(absl::Milliseconds(step));
        return;
      }
      case 6:
      case 7:
        if (!items_.empty()) return Done(dice_.Below(items_.size()));
        return;
      default:
        ASSERT_EQ(queue_.length(), model_->length());
        ASSERT_EQ(queue_.delayed(), model_->delayed());
        CheckStatus();
        if (testing::Test::HasFailure()) return;
        if (model_->length() > 0 && items_.size() < shape_.workers) Get();
    }
  }

  void CheckStatus() {
    const QueueStatus status = queue_.status();
    ASSERT_EQ(status.ready, model_->ready());
    ASSERT_EQ(status.delayed, model_->delayed());
    ASSERT_EQ(status.processing, items_.size());
    ASSERT_EQ(status.oldest_key.value_or(""), model_->oldest());
    ASSERT_EQ(status.oldest_key.has_value(), model_->length() > 0);
    const std::optional<int64_t> due = model_->next_due();
    ASSERT_EQ(status.next_due_in.has_value(), due.has_value());
    if (due.has_value()) {
      ASSERT_EQ(*status.next_due_in, absl::Milliseconds(*due - now_));
    }
  }

  void Add(int64_t delay) {
    // Keys have many lengths.
    const size_t n = dice_.Below(shape_.keys);
    std::string key = absl::StrCat(n, std::string(n % 7 == 3 ? n * 9 : n % 40, 'x'));
    const auto priority = static_cast<int16_t>(static_cast<int>(dice_.Below(4)) - 2);
    queue_.Add(key, {.after = absl::Milliseconds(delay), .priority = priority});
    model_->Add(key, priority, now_ + delay, now_);
  }

  void Get() {
    absl::StatusOr<Item<std::string>> item = queue_.Get(Context());
    ASSERT_TRUE(item.ok()) << item.status();
    ASSERT_EQ(item->key(), model_->Get(now_));
    items_.push_back(*std::move(item));
  }

  void Done(size_t i) {
    model_->Done(items_[i].key());
    if (i + 1 < items_.size()) {
      items_[i] = std::move(items_.back());  // assignment ends the previous item
    } else {
      items_[i].Done();
    }
    items_.pop_back();
  }

  const Shape shape_;
  oracle::Dice dice_;
  base::FakeClock clock_;
  base::RuntimeScope scope_;
  int64_t now_ = 0;
  Queue<std::string> queue_;
  std::unique_ptr<Model> model_;
  std::vector<Item<std::string>> items_;
};

TEST(QueueModel, Queue_AHundredThousandRandomOperations_AgreesWithTheModel) {
  const Shape shapes[] = {
      {"Fifo", QueueOrder::kFifo, 30, 4, false},
      {"FifoWithMetrics", QueueOrder::kFifo, 200, 20, true},
      {"Priority", QueueOrder::kPriority, 30, 4, false},
      {"PriorityWithMetrics", QueueOrder::kPriority, 200, 20, true},
      {"FewKeys", QueueOrder::kFifo, 3, 3, false},
      {"FewKeysWithPriorities", QueueOrder::kPriority, 3, 3, false},
      {"Ageing", QueueOrder::kPriority, 30, 4, false, /*ageing=*/5},
      {"AgeingWithMetrics", QueueOrder::kPriority, 200, 20, true, /*ageing=*/20},
      {"AgeingOfFewKeys", QueueOrder::kPriority, 3, 3, false, /*ageing=*/1},
  };
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(absl::StrCat("seed ", seed));
      Trial run(shape, seed);
      run.Steps(5000);
      run.End();
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace kube::workqueue
