// The order of keys in a queue with priorities, ours and controller-runtime's, in random
// operations. Ageing is off, since controller-runtime's queue has none.

#include "controller/workqueue/queue.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/sim_runtime.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "controller/workqueue/queue_options.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::workqueue {
namespace {

constexpr int16_t kPriorities[] = {kLowPriority, 0, 0, 0, 7};

// Plays random operations and writes them down, together with the queue's answers. A key is taken
// only when one is ready, because Get blocks otherwise; so that controller-runtime's queue does not
// have more keys than ours, the lengths are compared whenever no key is held: its length includes
// keys that must wait until they are done.
class Play {
 public:
  explicit Play(uint64_t seed)
      : dice_(seed), queue_(QueueOptions{.order = QueueOrder::kPriority}) {}

  void Steps(int count) {
    for (int i = 0; i < count; ++i) Step();
  }

  // Takes all keys that are left.
  void End() {
    Note("wait 3000000");
    Sleep(3'000'000);
    while (true) {
      while (queue_.length() > 0) Get();
      if (items_.empty()) break;
      Done();
    }
    Length();
  }

  std::string script() const { return absl::StrJoin(lines_, "\n"); }
  std::string answers() const { return absl::StrJoin(answers_, " | "); }

 private:
  void Note(std::string line) { lines_.push_back(std::move(line)); }

  static void Sleep(int64_t milliseconds) {
    EXPECT_THAT(base::SleepFor(Context(), absl::Milliseconds(milliseconds)), base::IsOk());
  }

  std::string RandomKey() { return absl::StrCat("key-", dice_.Below(6)); }

  void Step() {
    switch (dice_.Below(12)) {
      case 0:
      case 1:
      case 2:
        return Add("add", 0);
      case 3:
      case 4:
        return Add("add", static_cast<int64_t>(dice_.Below(5)) * 10);
      case 5:
        return Add("limited", dice_.Below(3) == 0 ? 10 : 0);
      case 6: {
        const std::string key = RandomKey();
        if (dice_.Below(2) == 0) {
          Note(absl::StrCat("failures ", key));
          answers_.push_back(absl::StrCat(queue_.NumRequeues(key)));
          return;
        }
        Note(absl::StrCat("forget ", key));
        return queue_.Forget(key);
      }
      case 7: {
        const auto milliseconds = static_cast<int64_t>(1 + dice_.Below(30));
        Note(absl::StrCat("wait ", milliseconds));
        return Sleep(milliseconds);
      }
      case 8:
      case 9:
        if (!items_.empty()) Done();
        return;
      default:
        if (items_.empty()) Length();
        if (queue_.length() > 0) Get();
    }
  }

  void Add(absl::string_view how, int64_t milliseconds) {
    const std::string key = RandomKey();
    const int16_t priority = kPriorities[dice_.Below(std::size(kPriorities))];
    Note(absl::StrCat(how, " ", key, " ", priority, " ", milliseconds));
    queue_.Add(key, {.after = absl::Milliseconds(milliseconds),
                     .rate_limited = how == "limited",
                     .priority = priority});
  }

  void Get() {
    absl::StatusOr<Item<std::string>> item = queue_.Get(Context());
    ASSERT_THAT(item, base::IsOk());
    Note("get");
    answers_.push_back(absl::StrCat(item->key(), " ", item->priority()));
    const std::string key = item->key();
    items_.emplace(key, *std::move(item));
  }

  void Done() {
    const auto it =
        std::next(items_.begin(), static_cast<std::ptrdiff_t>(dice_.Below(items_.size())));
    Note(absl::StrCat("done ", it->first));
    items_.erase(it);
  }

  void Length() {
    Note("length");
    answers_.push_back(absl::StrCat(queue_.length()));
  }

  oracle::Dice dice_;
  std::vector<std::string> lines_;
  std::vector<std::string> answers_;
  Queue<std::string> queue_;
  std::map<std::string, Item<std::string>> items_;  // after the queue, which outlives them
};

// behaviour.md: CTRL-40, CTRL-41
TEST(QueueDifferentialTest, RandomOperations_AnswerAsControllerRuntimes) {
  oracle::GoCases cases("@controller_oracles//:controller_runtime_oracle");
  for (uint64_t seed = 0; seed < 200; ++seed) {
    std::string script;
    std::string answers;
    base::SimRuntime sim;
    ASSERT_THAT(sim.Run([&] {
      Play play(seed);
      play.Steps(20 + static_cast<int>(seed));
      play.End();
      script = play.script();
      answers = play.answers();
    }),
                base::IsOk())
        << "seed " << seed;
    cases.Add("queue", script, answers);
  }
  cases.Check();
}

}  // namespace
}  // namespace kube::workqueue
