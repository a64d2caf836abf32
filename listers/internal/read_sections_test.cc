#include "listers/internal/read_sections.h"

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/thread_group.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::listers::internal {
namespace {

using base::IsOk;
using Section = std::optional<ReadSections::Section>;

TEST(ReadSections, AreNotWaitedForWhereNoneIsOpen) {
  ReadSections sections;
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(sections.Advance()) << i;
  sections.WaitForReaders();
}

// Two steps are never made while a section is open that was there before the first.
TEST(ReadSections, AllowAtMostOneStepWhileTheyAreOpen) {
  ReadSections sections;
  for (int before = 0; before < 4; ++before) {
    Section section(std::in_place, sections);
    int steps = 0;
    for (int i = 0; i < 5; ++i) steps += sections.Advance() ? 1 : 0;
    EXPECT_LE(steps, 1) << before;
    section.reset();
    EXPECT_TRUE(sections.Advance()) << before;
  }
}

// Readers that come all the time, so that some section is always open, do not keep a writer from
// its steps.
TEST(ReadSections, NewOnesDoNotHoldUpAWriter) {
  ReadSections sections;
  Section first(std::in_place, sections);
  Section second;
  int steps = 0;
  for (int i = 0; i < 20; ++i) {
    (i % 2 == 0 ? second : first).emplace(sections);
    (i % 2 == 0 ? first : second).reset();
    steps += sections.Advance() ? 1 : 0;
  }
  EXPECT_GE(steps, 8);
}

// What a reader finds is there until it has left. The address sanitizer and that of threads look.
TEST(ReadSections, KeepWhatReadersFind) {
  ReadSections sections;
  auto owned = std::make_unique<const int>(0);
  std::atomic<const int*> current = owned.get();
  std::atomic<bool> stop = false;
  base::ThreadGroup group((Context()));
  for (int r = 0; r < 3; ++r) {
    group.Go("reader", [&](const Context&) -> absl::Status {
      int last = 0;
      while (!stop.load()) {
        ReadSections::Section section(sections);
        const int now = *current.load();
        if (now < last) return absl::InternalError("an old value");
        last = now;
      }
      return absl::OkStatus();
    });
  }
  for (int i = 1; i <= 3000; ++i) {
    auto next = std::make_unique<const int>(i);
    current.store(next.get());
    sections.WaitForReaders();
    owned = std::move(next);
  }
  stop.store(true);
  EXPECT_THAT(group.Wait(), IsOk());
}

}  // namespace
}  // namespace kube::listers::internal
