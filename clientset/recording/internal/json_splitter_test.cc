#include "clientset/recording/internal/json_splitter.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::recording::internal {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Drain(JsonSplitter& splitter) {
  std::vector<std::string> documents;
  while (auto document = splitter.Next()) documents.push_back(*document);
  return documents;
}

TEST(JsonSplitter, OfTwoDocumentsInOnePiece_ReturnsBothWithTheirLineBreaks) {
  JsonSplitter splitter;
  splitter.Add("{\"a\":1}\n{\"b\":[2]}\n");
  EXPECT_THAT(Drain(splitter), ElementsAre("{\"a\":1}\n", "{\"b\":[2]}\n"));
  EXPECT_EQ(splitter.size(), 0u);
}

TEST(JsonSplitter, OfSingleBytes_ReturnsTheSameBytes) {
  const absl::string_view text = "{\"a\":\"}\\\"{\"}\n[1, {\"b\":null}] {}";
  JsonSplitter splitter;
  std::string all;
  std::vector<std::string> documents;
  for (const char byte : text) {
    splitter.Add(absl::string_view(&byte, 1));
    for (const std::string& document : Drain(splitter)) {
      all += document;
      if (document != "\n" && document != " ") documents.push_back(document);
    }
  }
  EXPECT_EQ(all, text);
  EXPECT_THAT(documents, ElementsAre("{\"a\":\"}\\\"{\"}", "[1, {\"b\":null}]", "{}"));
}

TEST(JsonSplitter, OfAnIncompleteDocument_KeepsItAsTheRest) {
  JsonSplitter splitter;
  splitter.Add("{}{\"a\":\"{");
  EXPECT_THAT(Drain(splitter), ElementsAre("{}"));
  EXPECT_EQ(splitter.size(), 7u);
  EXPECT_EQ(splitter.Rest(), "{\"a\":\"{");
  // The string that was open is forgotten.
  splitter.Add("{}");
  EXPECT_THAT(Drain(splitter), ElementsAre("{}"));
}

TEST(JsonSplitter, OfTextThatIsNotJson_ReturnsNoDocument) {
  JsonSplitter splitter;
  splitter.Add("ok }] ok");
  EXPECT_THAT(Drain(splitter), IsEmpty());
  EXPECT_EQ(splitter.Rest(), "ok }] ok");
}

}  // namespace
}  // namespace kube::recording::internal
