// Log fields cost nothing where a context carries none: no line and no context below allocates more
// than without them.
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <utility>

#include "apimachinery/base/context.h"
#include "apimachinery/base/log/context_fields.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "gtest/gtest.h"

namespace {

std::atomic<int> g_allocations = 0;

}  // namespace

void* operator new(size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  ++g_allocations;
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

namespace kube::log {
namespace {

class NullSink final : public Sink {
 public:
  void Write(const Record&) override {}
};

// Returns how often an action allocates memory.
template <typename Action>
int AllocationsOf(Action action) {
  const int before = g_allocations;
  action();
  return g_allocations - before;
}

TEST(ContextFieldsMemoryTest, Info_ContextWithoutFields_AllocatesNothing) {
  std::shared_ptr<Sink> previous = SetSink(std::make_shared<NullSink>());
  const CancelScope scope = WithCancel(Context());
  const Context with_fields = WithLogFields(scope.context(), {{"name", "web-0"}});
  Info("the first line may initialize what it needs");
  const auto log_with = [](const Context& ctx) {
    return AllocationsOf([&ctx] { Info(ctx, "synced", {{"attempt", 1}}); });
  };
  EXPECT_EQ(log_with(Context()), 0);
  EXPECT_EQ(log_with(scope.context()), 0);
  EXPECT_GT(log_with(with_fields), 0) << "the count works";
  SetSink(std::move(previous));
}

TEST(ContextFieldsMemoryTest, WithCancel_ParentWithFields_AllocatesNoMoreThanWithout) {
  const CancelScope scope = WithCancel(Context());
  const Context with_fields = WithLogFields(scope.context(), {{"name", "web-0"}});
  const auto child_of = [](const Context& ctx) {
    return AllocationsOf([&ctx] { const CancelScope child = WithCancel(ctx); });
  };
  EXPECT_EQ(child_of(with_fields), child_of(scope.context()));
}

}  // namespace
}  // namespace kube::log
