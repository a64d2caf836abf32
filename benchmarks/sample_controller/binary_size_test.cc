#include "benchmarks/sample_controller/binary_size.h"

#include <filesystem>

#include "absl/status/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

using base::IsOk;
using base::StatusIs;
using testing::Contains;
using testing::Gt;
using testing::Pair;
using testing::StartsWith;

TEST(BinarySizeTest, AProgramWithLibraries) {
  const auto size =
      MeasureBinary(std::filesystem::read_symlink("/proc/self/exe"), testing::TempDir());
  ASSERT_THAT(size, IsOk());
  EXPECT_GT(size->stripped_bytes, 10'000);
  EXPECT_THAT(size->libraries, Contains(Pair(StartsWith("libc.so"), Gt(1'000'000))));
  EXPECT_THAT(size->libraries, Contains(Pair(StartsWith("libstdc++.so"), Gt(1'000'000))));
}

TEST(BinarySizeTest, WhatIsNoProgram) {
  EXPECT_THAT(MeasureBinary("/nowhere", testing::TempDir()),
              StatusIs(absl::StatusCode::kUnavailable));
}

}  // namespace
}  // namespace kube::benchmarks
