#include "apiserver/call/write_record.h"

#include "gtest/gtest.h"

namespace kube::apiserver::internal {
namespace {

TEST(WriteRecord, TheVersionOfAMergePatch_IsThatOfItsMetadata) {
  WriteRecord record{.max_object_bytes = 1000};
  RecordPatchVersion(R"({"metadata":{"resourceVersion":"7"},"spec":{}})", &record);
  EXPECT_EQ(record.sent_version, "7");
}

TEST(WriteRecord, TheVersionOfAnApplyInYaml_IsThatOfItsMetadata) {
  WriteRecord record{.max_object_bytes = 1000};
  RecordPatchVersion("metadata:\n  name: web\n  resourceVersion: \"8\"\n", &record);
  EXPECT_EQ(record.sent_version, "8");
}

TEST(WriteRecord, TheVersionOfAJsonPatch_IsThatOfItsTest) {
  WriteRecord record{.max_object_bytes = 1000};
  RecordPatchVersion(R"([{"op":"remove","path":"/spec"},
                         {"op":"test","path":"/metadata/resourceVersion","value":"9"}])",
                     &record);
  EXPECT_EQ(record.sent_version, "9");
}

TEST(WriteRecord, APatchWithoutAVersion_HasNone) {
  WriteRecord record{.max_object_bytes = 1000};
  RecordPatchVersion(R"({"metadata":{"labels":{"resourceVersion":"7"}}})", &record);
  EXPECT_EQ(record.sent_version, "");
}

TEST(WriteRecord, WithoutObjects_PatchesAreNotDecoded) {
  WriteRecord record;
  RecordPatchVersion(R"({"metadata":{"resourceVersion":"7"}})", &record);
  EXPECT_EQ(record.sent_version, "");
}

TEST(WriteRecord, WithoutARecord_NothingIsDone) {
  RecordChange(nullptr);
  RecordDenial("create", nullptr);
  RecordSentVersion("7", nullptr);
  RecordPatchVersion("{}", nullptr);
  WriteRecord record;
  RecordChange(&record);
  EXPECT_TRUE(record.changed);
}

}  // namespace
}  // namespace kube::apiserver::internal
