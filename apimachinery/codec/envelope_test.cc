#include "apimachinery/codec/envelope.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/kitchen_sink/sink.kube.h"
#include "tests/oracle/oracle.h"

namespace kube::codec {
namespace {

using base::StatusIs;
using kube::kitchen::base::v1::Point;
using kube::kitchen::sink::v1::Tap;
using oracle::KitchenOracle;
using testing::HasSubstr;

std::string Bytes(absl::string_view number_and_type, absl::string_view value) {
  return absl::StrCat(number_and_type, std::string(1, static_cast<char>(value.size())), value);
}

std::string Magic() { return std::string("k8s\0", 4); }
std::string ApiVersion(absl::string_view text) { return Bytes("\x0a", text); }
std::string KindOf(absl::string_view text) { return Bytes("\x12", text); }
std::string TypeMeta(absl::string_view fields) { return Bytes("\x0a", fields); }
std::string Raw(absl::string_view wire) { return Bytes("\x12", wire); }
std::string ContentEncoding(absl::string_view text) { return Bytes("\x1a", text); }
std::string ContentType(absl::string_view text) { return Bytes("\x22", text); }

constexpr absl::string_view kVersion = "kitchen.example.com/v1";

std::string TapMeta() { return TypeMeta(absl::StrCat(ApiVersion(kVersion), KindOf("Tap"))); }

struct Row {
  std::string name;
  std::string body;
  // The JSON of the Tap in the envelope, or a part of our error.
  std::string want;
  // If Go differs: its answer, or a part of its error. Empty means the same JSON, or any error.
  std::string go = "";
};

// Bodies with an envelope, and what each means.
std::vector<Row> Rows() {
  const std::string open = "\x10\x01";
  const std::string json =
      R"({"kind":"Tap","apiVersion":"kitchen.example.com/v1","metadata":{},"open":true})";
  return {
      {"all of it", Magic() + TapMeta() + Raw(open) + ContentEncoding("") + ContentType(""), json},
      {"no more than needed", Magic() + TapMeta() + Raw(open), json},
      {"in another order", Magic() + Raw(open) + TapMeta(), json},
      {"no object", Magic() + TapMeta(),
       R"({"kind":"Tap","apiVersion":"kitchen.example.com/v1","metadata":{}})"},
      {"a content type", Magic() + TapMeta() + Raw(open) + ContentType("application/json"), json},
      {"unknown fields", Magic() + TapMeta() + "\x28\x07" + Raw(open) + "\x33\x08\x01\x34", json},
      {"unknown fields of the type",
       Magic() + TypeMeta(absl::StrCat(ApiVersion(kVersion), "\x18\x01", KindOf("Tap"))) +
           Raw(open),
       json},
      {"the object twice: the last one", Magic() + TapMeta() + Raw("\x10\x00x") + Raw(open), json},
      {"the type in two parts",
       Magic() + TypeMeta(ApiVersion(kVersion)) + TypeMeta(KindOf("Tap")) + Raw(open), json},
      {"an encoding", Magic() + TapMeta() + Raw(open) + ContentEncoding("gzip"),
       "unknown content encoding: gzip", json},
      {"no bytes", "", "empty data"},
      {"another prefix", "k8t" + std::string(1, '\0') + TapMeta(), "expected prefix"},
      {"half a prefix", "k8", "expected prefix"},
      {"JSON", "{\"kind\":\"Tap\"}", "expected prefix"},
      {"nothing after the prefix", Magic(), "empty body"},
      {"cut off", Magic() + TapMeta() + "\x12\x07\x10", "invalid envelope"},
      {"a type cut off", Magic() + TypeMeta("\x0a\x09v") + Raw(open), "invalid envelope"},
      {"the number 0", Magic() + std::string("\x02\x00", 2), "invalid envelope"},
      {"a wrong wire type", Magic() + "\x10\x01", "invalid envelope"},
      {"a wrong wire type of a version", Magic() + TypeMeta("\x08\x01"), "invalid envelope"},
      {"a broken object", Magic() + TapMeta() + Raw("\x10"),
       "decode Tap: open: truncated value (byte 1)"},
  };
}

absl::StatusOr<std::string> TapJson(absl::string_view body) {
  const absl::StatusOr<Tap> tap = DecodeKubernetesProtobuf<Tap>(body);
  return tap.ok() ? EncodeJson(*tap) : tap.status();
}

// behaviour.md: COD-1
TEST(Envelope, Rows) {
  for (const Row& row : Rows()) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<std::string> json = TapJson(row.body);
    if (row.want[0] == '{') {
      ASSERT_TRUE(json.ok()) << json.status();
      EXPECT_EQ(*json, row.want);
    } else {
      EXPECT_THAT(json, StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(row.want)));
    }
  }
}

// behaviour.md: COD-1
TEST(Envelope, RowsAgainstGo) {
  const std::vector<Row> rows = Rows();
  KitchenOracle go;
  for (const Row& row : rows) go.Ask("envelope_to_json", "Tap", {row.body});
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].name);
    const std::string& want = rows[i].go.empty() ? rows[i].want : rows[i].go;
    if (want[0] == '{') {
      EXPECT_EQ(go.Output(i), want);
    } else {
      EXPECT_FALSE(go[i].ok());
      EXPECT_THAT(go.Output(i), HasSubstr(rows[i].go));
    }
  }
}

TEST(Envelope, EveryPrefixIsRefusedOrHasTheSameType) {
  const std::string body = Magic() + TapMeta() + Raw("\x10\x01") + ContentType("x");
  for (size_t size = 0; size < body.size(); ++size) {
    const PaddedBuffer buffer(absl::string_view(body).substr(0, size));
    const absl::StatusOr<Envelope> envelope = ParseEnvelope(buffer.view());
    EXPECT_TRUE(!envelope.ok() || envelope->kind == "Tap") << size;
  }
}

TEST(Envelope, WhatItSaysIsNotComparedWithTheType) {
  const std::string body =
      Magic() + TypeMeta(absl::StrCat(ApiVersion("v7"), KindOf("Other"))) + Raw("\x10\x01");
  const absl::StatusOr<Tap> tap = DecodeKubernetesProtobuf<Tap>(body);
  ASSERT_TRUE(tap.ok()) << tap.status();
  EXPECT_EQ(tap->kind, "Other");
  EXPECT_EQ(tap->api_version, "v7");
}

TEST(Envelope, TypesWithoutKindGetNone) {
  const std::string body = Magic() + TapMeta() + Raw("\x08\x05");
  const absl::StatusOr<Point> point = DecodeKubernetesProtobuf<Point>(body);
  ASSERT_TRUE(point.ok()) << point.status();
  EXPECT_EQ(EncodeJson(*point).value(), R"({"x":5})");
}

TEST(Envelope, WatchEvents) {
  const std::string event =
      absl::StrCat(Bytes("\x0a", "ADDED"), "\x18\x01", Bytes("\x12", Bytes("\x0a", "body")));
  const PaddedBuffer buffer(event);
  absl::string_view type;
  absl::string_view body;
  ASSERT_TRUE(ParseWatchEvent(buffer.view(), type, body));
  EXPECT_EQ(type, "ADDED");
  EXPECT_EQ(body, "body");
  for (const absl::string_view broken : {"\x0a\x09", "\x08\x01", "\x12\x02\x08\x01", "\x0a"}) {
    const PaddedBuffer bytes(broken);
    EXPECT_FALSE(ParseWatchEvent(bytes.view(), type, body)) << broken;
  }
}

}  // namespace
}  // namespace kube::codec
