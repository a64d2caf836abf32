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
#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::workqueue {
namespace {

// All times are milliseconds of the test's clock.
class Model {
 public:
  virtual ~Model() = default;
  virtual void Add(const std::string& key, int priority, int64_t when, int64_t now) = 0;
  virtual std::string Get() = 0;
  virtual void Done(const std::string& key) = 0;
  virtual void Pass(int64_t now) = 0;
  virtual size_t length() const = 0;
  virtual size_t delayed() const = 0;
  virtual void DropDelayed() = 0;
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
  std::string Get() override {
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

// Models controller-runtime's priorityqueue.go.
class PriorityModel final : public Model {
 public:
  void Add(const std::string& key, int priority, int64_t when, int64_t now) override {
    std::optional<int64_t> ready_at;
    if (when > now) ready_at = when;
    const auto it = items_.find(key);
    if (it == items_.end()) {
      items_[key] = {priority, count_++, ready_at};
      return;
    }
    Item& item = it->second;
    if (!item.ready_at.has_value() || !ready_at.has_value()) {
      item.ready_at.reset();
    } else {
      item.ready_at = std::min(*item.ready_at, *ready_at);
    }
    if (priority > item.priority) {
      item.priority = priority;
      item.count = count_++;
    }
  }
  std::string Get() override {
    const auto* best = Best();
    std::string key = best->first;
    locked_.insert(key);
    items_.erase(key);
    return key;
  }
  void Done(const std::string& key) override { locked_.erase(key); }
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
    }
  }
  size_t length() const override {
    return std::count_if(items_.begin(), items_.end(), [this](const auto& item) {
      return !item.second.ready_at.has_value() && !locked_.contains(item.first);
    });
  }
  size_t delayed() const override {
    return std::count_if(items_.begin(), items_.end(),
                         [](const auto& item) { return item.second.ready_at.has_value(); });
  }
  void DropDelayed() override {
    std::erase_if(items_, [](const auto& item) { return item.second.ready_at.has_value(); });
  }

 private:
  struct Item {
    int priority = 0;
    int64_t count = 0;
    std::optional<int64_t> ready_at;
  };
  const std::pair<const std::string, Item>* Best() const {
    const std::pair<const std::string, Item>* best = nullptr;
    for (const auto& item : items_) {
      if (item.second.ready_at.has_value() || locked_.contains(item.first)) continue;
      if (best == nullptr || std::pair(-item.second.priority, item.second.count) <
                                 std::pair(-best->second.priority, best->second.count)) {
        best = &item;
      }
    }
    return best;
  }
  std::map<std::string, Item> items_;
  std::set<std::string> locked_;
  int64_t count_ = 0;
};

struct Shape {
  const char* name;
  QueueOrder order;
  size_t keys;
  size_t workers;
  bool metrics;
};

class Trial {
 public:
  Trial(const Shape& shape, uint64_t seed)
      : shape_(shape), dice_(seed), scope_(clock_), queue_(OptionsOf(shape)) {
    if (shape.order == QueueOrder::kFifo) {
      model_ = std::make_unique<FifoModel>();
    } else {
      model_ = std::make_unique<PriorityModel>();
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
    QueueOptions options = {.order = shape.order};
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
        if (model_->length() > 0 && items_.size() < shape_.workers) Get();
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
    ASSERT_EQ(item->key(), model_->Get());
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
