#include "benchmarks/rest/watch_bodies.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/scheme/media_type.h"
#include "gtest/gtest.h"

namespace kube::benchmarks {
namespace {

std::string Event(scheme::Format format, absl::string_view type, absl::string_view object) {
  std::string out = "before,";
  AppendEvent(format, type, object, out);
  return out.substr(7);
}

TEST(WatchBodiesTest, JsonIsALine) {
  EXPECT_EQ(Event(scheme::Format::kJson, "MODIFIED", R"({"kind":"Pod"})"),
            "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"Pod\"}}\n");
}

TEST(WatchBodiesTest, ProtobufHasItsLengthBeforeIt) {
  EXPECT_EQ(Event(scheme::Format::kProtobuf, "ADDED", "abc"), std::string("\0\0\0\x0e\x0a\x05"
                                                                          "ADDED\x12\x05\x0a\x03"
                                                                          "abc",
                                                                          18));
  const std::string large(300, 'x');  // lengths of two bytes
  EXPECT_EQ(Event(scheme::Format::kProtobuf, "ADDED", large),
            absl::StrCat(absl::string_view("\0\0\x01\x39\x0a\x05"
                                           "ADDED\x12\xaf\x02\x0a\xac\x02",
                                           17),
                         large));
}

}  // namespace
}  // namespace kube::benchmarks
