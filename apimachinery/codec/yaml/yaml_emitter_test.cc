#include "apimachinery/codec/yaml/yaml_emitter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::codec::internal {
namespace {

TEST(YamlEmitterTest, WritesADocument) {
  YamlEmitter emitter;
  emitter.BeginMap();
  emitter.Key("list");
  emitter.BeginList();
  emitter.BeginItem();
  emitter.BeginMap();
  emitter.Key("1");
  emitter.Plain("1");
  emitter.EndMap();
  emitter.BeginItem();
  emitter.EmptyMap();
  emitter.EndList();
  emitter.Key("text");
  emitter.String("a\nb\n");
  emitter.Key("none");
  emitter.EmptyList();
  emitter.EndMap();
  EXPECT_EQ(std::move(emitter).Finish(), "list:\n- \"1\": 1\n- {}\ntext: |\n  a\n  b\nnone: []\n");
}

TEST(YamlEmitterTest, WritesAMap_AsInTheHeader) {
  YamlEmitter emitter;
  emitter.BeginMap();
  emitter.Key("name");
  emitter.String("web");
  emitter.EndMap();
  std::string yaml = std::move(emitter).Finish();
  EXPECT_EQ(yaml, "name: web\n");
}

TEST(YamlEmitterTest, FoldsLongLinesUnlessToldNotTo) {
  std::string words = "word";
  while (words.size() < 90) words += " word";
  const std::string texts[] = {words, "'" + words, "\t" + words};
  for (const std::string& text : texts) {
    YamlEmitter folding;
    folding.String(text);
    const std::string folded = std::move(folding).Finish();
    EXPECT_EQ(std::count(folded.begin(), folded.end(), '\n'), 2) << folded;
    YamlEmitter emitter(false);
    emitter.String(text);
    const std::string line = std::move(emitter).Finish();
    EXPECT_EQ(std::count(line.begin(), line.end(), '\n'), 1) << line;
    EXPECT_THAT(line, testing::HasSubstr(words));
  }
}

}  // namespace
}  // namespace kube::codec::internal
