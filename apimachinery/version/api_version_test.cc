#include "apimachinery/version/api_version.h"

#include <algorithm>
#include <compare>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::version {
namespace {

TEST(ApiVersionTest, Order) {
  const std::vector<absl::string_view> versions = {
      "v10",      "v2",       "v1",       "v2beta1",
      "v1beta10", "v1beta2",  "v3alpha1", "v1alpha2",
      "v1alpha1", "V1",       "bar",      "foo",
      "v",        "v1beta",   "v1rc1",    "v9223372036854775808",
      "version1", "version10"};
  for (size_t i = 0; i < versions.size(); ++i) {
    for (size_t j = 0; j < versions.size(); ++j) {
      EXPECT_EQ(CompareKubeAwareVersionStrings(versions[i], versions[j]), j <=> i)
          << versions[i] << " " << versions[j];
    }
  }
  EXPECT_EQ(CompareKubeAwareVersionStrings("v01", "v1"), std::weak_ordering::equivalent);
}

TEST(ApiVersionTest, SortsTheMostStableFirst_AsInTheHeader) {
  std::vector<std::string> versions = {"v1beta1", "v1", "v2", "v1alpha1"};
  const auto is_before = [](const auto& a, const auto& b) {
    return CompareKubeAwareVersionStrings(a, b) > 0;
  };
  std::sort(versions.begin(), versions.end(), is_before);
  EXPECT_THAT(versions, testing::ElementsAre("v2", "v1", "v1beta1", "v1alpha1"));
}

}  // namespace
}  // namespace kube::version
