// A server may send any number of warnings, each as long as a header may be. The memory of a logger
// that logs each text once is bounded.
#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/log/log.h"
#include "apimachinery/base/log/log_record.h"
#include "apimachinery/base/log/log_sink.h"
#include "clientset/rest/warnings.h"
#include "gtest/gtest.h"

namespace {

std::atomic<size_t> g_bytes_in_use = 0;

}  // namespace

void* operator new(size_t bytes) {
  void* memory = std::malloc(bytes);
  if (memory == nullptr) std::abort();
  g_bytes_in_use += malloc_usable_size(memory);
  return memory;
}
void operator delete(void* memory) noexcept {
  g_bytes_in_use -= malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, size_t) noexcept { operator delete(memory); }

namespace kube::rest {
namespace {

class CountingSink final : public log::Sink {
 public:
  void Write(const log::Record&) override { ++records; }
  std::atomic<int> records = 0;
};

TEST(WarningsMemoryTest, LongTextsAreNotKept) {
  constexpr int kTexts = 64;
  const auto sink = std::make_shared<CountingSink>();
  const std::shared_ptr<log::Sink> before = log::SetSink(sink);
  const auto logger = MakeDeduplicatingWarningLogger();
  const size_t in_use = g_bytes_in_use;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < kTexts; ++i) {
      logger->HandleWarning(Context(),
                            {299, "-", absl::StrCat(i, std::string(size_t{1} << 20, 'w'))});
    }
  }
  EXPECT_LT(g_bytes_in_use - in_use, size_t{64} << 10);
  EXPECT_EQ(sink->records, kTexts);
  log::SetSink(before);
}

}  // namespace
}  // namespace kube::rest
