#include "apimachinery/codec/yaml/yaml_emitter.h"

#include <utility>

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

}  // namespace
}  // namespace kube::codec::internal
