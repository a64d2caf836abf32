#include "controller/reconcile/internal/apply_memory.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "api/core/v1/types.applies.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/meta/object_name.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using Configuration = ApplyOf<corev1::ConfigMap>;
using meta::ObjectName;

const ObjectName kWeb = {.namespace_name = "default", .name = "web"};
constexpr ApplyFingerprint kRed = {.hash = 1, .size_bytes = 10};
constexpr ApplyFingerprint kBlue = {.hash = 2, .size_bytes = 10};

ObjectName Numbered(int i) {
  return {.namespace_name = "default", .name = absl::StrCat("web-", i)};
}

ApplyFingerprint Fingerprint(const Configuration& configuration) {
  const absl::StatusOr<std::string> json = codec::EncodeJson(configuration);
  EXPECT_THAT(json, IsOk());
  return json.ok() ? FingerprintOf(*json) : ApplyFingerprint();
}

TEST(ApplyMemoryTest, HasTheLastConfigurationWithItsVersion) {
  ApplyMemory memory;
  EXPECT_FALSE(memory.Has(kWeb, kRed, "7"));
  memory.Note(kWeb, kRed, "7");
  EXPECT_TRUE(memory.Has(kWeb, kRed, "7"));
  EXPECT_FALSE(memory.Has(kWeb, kRed, "8")) << "somebody has changed the object";
  EXPECT_FALSE(memory.Has(kWeb, kBlue, "7")) << "another configuration";
  EXPECT_FALSE(memory.Has({.namespace_name = "other", .name = "web"}, kRed, "7"));
  memory.Note(kWeb, kBlue, "9");
  EXPECT_FALSE(memory.Has(kWeb, kRed, "7"));
  EXPECT_TRUE(memory.Has(kWeb, kBlue, "9"));
  memory.Forget(kWeb);
  EXPECT_FALSE(memory.Has(kWeb, kBlue, "9"));
}

TEST(ApplyMemoryTest, AnAnswerWithoutVersion_ForgetsTheObject) {
  ApplyMemory memory;
  memory.Note(kWeb, kRed, "7");
  memory.Note(kWeb, kRed, "");
  EXPECT_FALSE(memory.Has(kWeb, kRed, "7"));
  EXPECT_FALSE(memory.Has(kWeb, kRed, ""));
  EXPECT_EQ(memory.size(), 0u);
}

TEST(ApplyMemoryTest, IsBounded_AndKeepsWhatIsUsed) {
  ApplyMemory memory(100);
  memory.Note(kWeb, kRed, "7");
  for (int i = 0; i < 1000; ++i) {
    memory.Note(Numbered(i), kRed, "1");
    ASSERT_LE(memory.size(), 100u);
    ASSERT_TRUE(memory.Has(kWeb, kRed, "7")) << i;
  }
  EXPECT_TRUE(memory.Has(Numbered(999), kRed, "1"));
  EXPECT_FALSE(memory.Has(Numbered(0), kRed, "1"));
}

TEST(FingerprintOfTest, DiffersWhereTheRequestDiffers) {
  const Configuration web = {.metadata = {{.name = "web"}}, .data = {{"size", "1"}}};
  EXPECT_EQ(Fingerprint(web), Fingerprint(web));

  Configuration larger = web;
  larger.data["size"] = "2";
  EXPECT_FALSE(Fingerprint(larger) == Fingerprint(web));

  const Configuration name_only = {.metadata = {{.name = "web"}}};
  Configuration no_data = name_only;
  no_data.data = Map<String>::Empty();
  EXPECT_FALSE(Fingerprint(no_data) == Fingerprint(name_only)) << "an empty map is sent";
}

}  // namespace
}  // namespace kube::controller::internal
