#include "apimachinery/codec/stream/object_documents.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;

// Returns "line:column text" of each document, and the error at the end.
std::vector<std::string> All(absl::string_view text) {
  const PaddedBuffer stream(text);
  ObjectDocuments documents(stream);
  std::vector<std::string> all;
  while (true) {
    const absl::StatusOr<std::optional<ObjectDocument>> document = documents.Next();
    if (!document.ok()) {
      all.push_back(std::string(document.status().message()));
    } else if (!document->has_value()) {
      return all;
    } else if ((*document)->is_protobuf) {
      all.push_back(absl::StrCat("protobuf ", (*document)->text.size()));
    } else {
      all.push_back(absl::StrCat((*document)->first_line, ":", (*document)->first_column, " ",
                                 (*document)->text));
    }
  }
}

TEST(ObjectDocuments, OfText) {
  struct Row {
    const char* name;
    const char* text;
    std::vector<std::string> documents;
  };
  for (const Row& row : std::vector<Row>{
           {"one JSON", "{\"a\":1}", {"1:1 {\"a\":1}"}},
           {"JSON and a line break", "{\"a\":1}\n", {"1:1 {\"a\":1}"}},
           {"JSON and space before", "\n  {}\n", {"2:3 {}"}},
           {"JSON a line", "{}\n{\"a\":{}}\n", {"1:1 {}", "2:1 {\"a\":{}}"}},
           {"JSON without space", "{}{}", {"1:1 {}", "1:3 {}"}},
           {"brackets in a text", "{\"a\":\"}\"}{}", {"1:1 {\"a\":\"}\"}", "1:10 {}"}},
           {"one YAML", "a: 1\n", {"1:1 a: 1\n"}},
           {"YAML", "a: 1\n---\nb: 2\n", {"1:1 a: 1\n", "3:1 b: 2\n"}},
       }) {
    EXPECT_THAT(All(row.text), ElementsAreArray(row.documents)) << row.name;
  }
}

// Line numbers continue after JSON objects; the rest of the last line is an empty document.
TEST(ObjectDocuments, YamlBehindJson) {
  EXPECT_THAT(All("{}\n---\nb: 2\n---\nc: 3\n"),
              ElementsAre("1:1 {}", "1:1 \n", "3:1 b: 2\n", "5:1 c: 3\n"));
}

// It is handed out, so that the decoder reports what is wrong.
TEST(ObjectDocuments, JsonWithoutItsEnd) {
  EXPECT_THAT(All("{}\n{\"a\":"), ElementsAre("1:1 {}", "1:1 \n{\"a\":\n"));
}

TEST(ObjectDocuments, OfProtobuf) {
  const std::string body("k8s\0body", 8);
  const std::string frame = absl::StrCat(std::string("\0\0\0\x08", 4), body);
  EXPECT_THAT(All(body), ElementsAre("protobuf 8"));
  EXPECT_THAT(All(frame), ElementsAre("protobuf 8"));
  EXPECT_THAT(All(frame + frame), ElementsAre("protobuf 8", "protobuf 8"));
  EXPECT_THAT(All(frame + frame.substr(0, 11)), ElementsAre("protobuf 8", HasSubstr("read frame")));
  EXPECT_THAT(All(frame + "ab"), ElementsAre("protobuf 8", HasSubstr("read frame")));
}

absl::StatusOr<int> CountObjects(const PaddedBuffer& file) {
  int count = 0;
  ObjectDocuments documents(file);
  while (true) {
    KUBE_ASSIGN_OR_RETURN(std::optional<ObjectDocument> document, documents.Next());
    if (!document.has_value()) break;
    ++count;
  }
  return count;
}

TEST(ObjectDocuments, AreCounted_AsInTheHeader) {
  EXPECT_THAT(CountObjects(PaddedBuffer("{}{}")), base::IsOkAndHolds(2));
  EXPECT_THAT(CountObjects(PaddedBuffer("a: 1\n---\nb: 2\n--- c\n")),
              base::StatusIs(absl::StatusCode::kInvalidArgument));
}

}  // namespace
}  // namespace kube::codec
