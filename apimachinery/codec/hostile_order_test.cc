// Input in an order that no encoder writes: what takes linear time in order must not take quadratic
// time out of order. Nothing is timed here; a quadratic decoder exceeds the test's time limit.
#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/types/string.h"

namespace kube::codec {
namespace {

using api::core::v1::Pod;

constexpr size_t kCount = 100'000;

std::string Key(size_t i) { return absl::StrCat("k", 1'000'000 + i); }

void ExpectAllLabels(const Pod& pod) {
  ASSERT_EQ(pod.metadata.labels.size(), kCount);
  for (size_t i = 0; i < kCount; i += 997) {
    const String* value = pod.metadata.labels.find(Key(i));
    ASSERT_NE(value, nullptr) << i;
    EXPECT_EQ(*value, "last");
  }
}

// Decodes by value and with sharing; the results must be equal.
void CheckJson(absl::string_view json) {
  const absl::StatusOr<Pod> pod = DecodeJson<Pod>(json);
  ASSERT_TRUE(pod.ok()) << pod.status();
  ExpectAllLabels(*pod);
  SharedDecoder decoder;
  const auto shared = decoder.DecodeJson<Pod>(PaddedBuffer(json));
  ASSERT_TRUE(shared.ok()) << shared.status();
  EXPECT_TRUE(**shared == *pod);
}

TEST(HostileOrderTest, KeysDescend) {
  std::string json = R"({"metadata":{"labels":{)";
  for (size_t i = kCount; i-- > 0;) {
    absl::StrAppend(&json, "\"", Key(i), "\":\"last\"", i == 0 ? "" : ",");
  }
  CheckJson(absl::StrCat(json, "}}}"));
}

TEST(HostileOrderTest, KeysComeTwice) {
  std::string json = R"({"metadata":{"labels":{)";
  for (const absl::string_view value : {"a value that is not inside the string", "last"}) {
    for (size_t i = kCount; i-- > 0;) {
      const bool end = i == 0 && value == "last";
      absl::StrAppend(&json, "\"", Key(i), "\":\"", value, "\"", end ? "" : ",");
    }
  }
  json += "}}}";
  CheckJson(json);
  const absl::StatusOr<Pod> strict =
      DecodeJson<Pod>(json, {.field_validation = FieldValidation::kStrict});
  EXPECT_EQ(strict.status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(HostileOrderTest, AMapInManyParts) {
  std::string json = R"({"metadata":{)";
  for (size_t i = kCount; i-- > 0;) {
    absl::StrAppend(&json, R"("labels":{")", Key(i), R"(":"last"})", i == 0 ? "" : ",");
  }
  CheckJson(absl::StrCat(json, "}}"));
}

// Returns a field of protobuf: its tag, its size, and its bytes.
std::string Bytes(char tag, absl::string_view value) {
  std::string field(1, tag);
  size_t size = value.size();
  for (; size >= 0x80; size >>= 7) field += static_cast<char>(size | 0x80);
  field += static_cast<char>(size);
  absl::StrAppend(&field, value);
  return field;
}

absl::StatusOr<Pod> CheckWire(absl::string_view wire) {
  absl::StatusOr<Pod> pod = DecodeProtobuf<Pod>(wire);
  SharedDecoder decoder;
  const auto shared = decoder.DecodeProtobuf<Pod>(PaddedBuffer(wire));
  EXPECT_EQ(pod.ok(), shared.ok()) << shared.status();
  if (pod.ok() && shared.ok()) {
    EXPECT_TRUE(**shared == *pod);
  }
  return pod;
}

TEST(HostileOrderTest, TwoMapsInTurn) {
  std::string metadata;
  for (size_t i = kCount; i-- > 0;) {
    const std::string entry = Bytes('\x0a', Key(i)) + Bytes('\x12', "last");
    absl::StrAppend(&metadata, Bytes('\x5a', entry), Bytes('\x62', entry));
  }
  const absl::StatusOr<Pod> pod = CheckWire(Bytes('\x0a', metadata));
  ASSERT_TRUE(pod.ok()) << pod.status();
  ExpectAllLabels(*pod);
  EXPECT_TRUE(pod->metadata.labels == pod->metadata.annotations);
}

TEST(HostileOrderTest, TwoListsInTurn) {
  std::string metadata;
  for (size_t i = 0; i < kCount; ++i) {
    absl::StrAppend(&metadata, Bytes('\x6a', ""), Bytes('\x72', "a finalizer"));
  }
  const absl::StatusOr<Pod> pod = CheckWire(Bytes('\x0a', metadata));
  ASSERT_TRUE(pod.ok()) << pod.status();
  EXPECT_EQ(pod->metadata.owner_references.size(), kCount);
  EXPECT_EQ(pod->metadata.finalizers.size(), kCount);
}

}  // namespace
}  // namespace kube::codec
