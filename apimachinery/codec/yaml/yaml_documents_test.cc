#include "apimachinery/codec/yaml/yaml_documents.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::vector<std::pair<std::string, int>> All(absl::string_view stream) {
  std::vector<std::pair<std::string, int>> all;
  YamlDocuments documents(stream);
  while (true) {
    const absl::StatusOr<std::optional<YamlDocument>> document = documents.Next();
    EXPECT_TRUE(document.ok()) << document.status();
    if (!document.ok() || !document->has_value()) return all;
    all.emplace_back((*document)->text, (*document)->first_line);
  }
}

TEST(YamlDocumentsTest, SplitsAtSeparators) {
  EXPECT_THAT(All(""), IsEmpty());
  EXPECT_THAT(All("a\n"), ElementsAre(Pair("a\n", 1)));
  EXPECT_THAT(All("a\nb\n--- # x\nc\n---\n"), ElementsAre(Pair("a\nb\n", 1), Pair("c\n", 4)));
  EXPECT_THAT(All("---\n# c\n---\r\na\n"), ElementsAre(Pair("---\n# c\n", 1), Pair("a\n", 4)));
  EXPECT_THAT(All("a: |\n  ---\n"), ElementsAre(Pair("a: |\n  ---\n", 1)));
}

TEST(YamlDocumentsTest, EndsTheLastLine) {
  EXPECT_THAT(All("a\n---\nb"), ElementsAre(Pair("a\n", 1), Pair("b\n", 3)));
}

TEST(YamlDocumentsTest, RefusesTextAfterASeparator) {
  YamlDocuments documents("a\n---\nb\n--- c\nd\n");
  EXPECT_EQ((*documents.Next())->text, "a\n");
  EXPECT_EQ(documents.Next().status(),
            absl::InvalidArgumentError("split YAML: line 4: invalid Yaml document separator"));
  EXPECT_FALSE(documents.Next()->has_value());
}

}  // namespace
}  // namespace kube::codec
