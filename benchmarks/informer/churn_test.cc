#include "benchmarks/informer/churn.h"

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::HasSubstr;
using testing::SizeIs;

// The short form of churn_soak.
TEST(ChurnInformers, InFiftyRounds_LeavesNothingBehind) {
  int reported = 0;
  const absl::StatusOr<std::vector<ChurnSample>> samples =
      ChurnInformers({.rounds = 50,
                      .sample_every = 5,
                      .objects = 10,
                      .on_sample = [&reported](const ChurnSample&) { ++reported; }});
  ASSERT_THAT(samples, IsOk());
  EXPECT_THAT(*samples, SizeIs(10));
  EXPECT_EQ(reported, 10);
  for (const ChurnSample& sample : *samples) {
    EXPECT_GT(sample.threads, 0);
    EXPECT_GT(sample.descriptors, 0);
  }
  EXPECT_THAT(CheckFlat(*samples), IsOk());
}

TEST(ChurnInformers, WithoutRounds_IsRefused) {
  EXPECT_THAT(ChurnInformers({.rounds = 0}).status(), StatusIs(absl::StatusCode::kInvalidArgument));
}

TEST(CheckFlat, WhatGrows_IsNamed) {
  const ChurnSample flat = {
      .heap_bytes = 10'000'000, .rss_kb = 50'000, .threads = 8, .descriptors = 20};
  const struct {
    const char* name;
    int64_t ChurnSample::*member;
    int64_t last;
    const char* error;  // "" if it is flat
  } rows[] = {
      {"nothing", &ChurnSample::threads, 8, ""},
      {"a thread", &ChurnSample::threads, 9, "threads have piled up: from 8 to 9"},
      {"two descriptors", &ChurnSample::descriptors, 22, ""},
      {"three descriptors", &ChurnSample::descriptors, 23,
       "descriptors have piled up: from 20 to 23"},
      {"two megabytes", &ChurnSample::heap_bytes, 12'000'000, ""},
      {"three megabytes", &ChurnSample::heap_bytes, 13'000'000, "the heap has grown"},
      {"pages that malloc keeps", &ChurnSample::rss_kb, 90'000, ""},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    std::vector<ChurnSample> samples(10, flat);
    // The first rounds may still grow.
    samples[0].threads = 1;
    samples.back().*row.member = row.last;
    if (*row.error == '\0') {
      EXPECT_THAT(CheckFlat(samples), IsOk());
    } else {
      EXPECT_THAT(CheckFlat(samples), StatusIs(absl::StatusCode::kInternal, HasSubstr(row.error)));
    }
  }
  EXPECT_THAT(CheckFlat({flat, flat, flat, flat}), StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::benchmarks
