// Objects for caches, as users see them.
#include "apimachinery/codec/sharing/shared_decoder.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

namespace metav1 = kube::kitchen::base::v1;
namespace sink = kube::kitchen::sink::v1;

constexpr absl::string_view kJson =
    R"({"metadata":{"name":"a-name-that-is-not-short","labels":{"app":"one-more-long-text"}},)"
    R"("spec":{"workload":{"args":["an-argument-of-some-length","b"],"capacity":"1500m",)"
    R"("selector":{"matchLabels":{"a-rather-long-label-key":"b"}}}}})";

std::shared_ptr<const sink::Sink> DecodeSink(SharedDecoder& decoder) {
  absl::StatusOr<std::shared_ptr<const sink::Sink>> object =
      decoder.DecodeJson<sink::Sink>(PaddedBuffer(kJson));
  EXPECT_TRUE(object.ok()) << object.status();
  return *std::move(object);
}

TEST(SharedDecoderTest, CopiesOwnTheirMemory) {
  sink::Sink copy;
  std::string json;
  {
    SharingStore store;
    SharedDecoder decoder({}, &store);
    for (int i = 0; i < 3; ++i) {
      const std::shared_ptr<const sink::Sink> object = DecodeSink(decoder);
      json = *EncodeJson(*object);
      copy = *object;
      copy.metadata.name = "changed";
      copy.metadata.labels["app"] = "changed";
      copy.spec.workload->args[0] = "changed";
      copy.spec.workload->args.push_back("a new argument, of some length");
      copy.spec.workload->selector->match_labels.erase("a-rather-long-label-key");
      EXPECT_EQ(*EncodeJson(*object), json);
      copy = *object;
    }
  }
  EXPECT_EQ(*EncodeJson(copy), json);
  EXPECT_EQ(json, *EncodeJson(*DecodeJson<sink::Sink>(kJson)));
}

TEST(SharedDecoderTest, PartsKeepTheObject) {
  std::shared_ptr<const sink::Workload> part;
  std::weak_ptr<const sink::Sink> weak;
  {
    SharedDecoder decoder;
    const std::shared_ptr<const sink::Sink> object = DecodeSink(decoder);
    weak = object;
    part = {object, &*object->spec.workload};
  }
  EXPECT_EQ(part->args[0], "an-argument-of-some-length");
  EXPECT_NE(weak.lock(), nullptr);
  part.reset();
  EXPECT_TRUE(weak.expired());
}

TEST(SharedDecoderTest, IsGoodForMoreAfterAnError) {
  SharedDecoder decoder;
  const absl::Status status =
      decoder.DecodeJson<sink::Sink>(PaddedBuffer(R"({"spec":{"workload":{"args":[1]}}})"))
          .status();
  EXPECT_TRUE(absl::IsInvalidArgument(status));
  EXPECT_EQ(std::string(status.message()),
            "decode Sink: spec.workload.args[0]: expected a string (line 1, column 30)");
  EXPECT_EQ(*EncodeJson(*DecodeSink(decoder)), *EncodeJson(*DecodeJson<sink::Sink>(kJson)));
  const absl::Status wire = decoder.DecodeProtobuf<sink::Sink>(PaddedBuffer("\x0a\x05")).status();
  EXPECT_THAT(std::string(wire.message()), testing::StartsWith("decode Sink: metadata: "));
}

TEST(SharedDecoderTest, BytesMayBeGone) {
  SharedDecoder decoder;
  std::shared_ptr<const sink::Sink> object;
  {
    PaddedBuffer bytes(*EncodeProtobuf(*DecodeJson<sink::Sink>(kJson)));
    object = *decoder.DecodeProtobuf<sink::Sink>(bytes);
    bytes = PaddedBuffer(std::string(bytes.size(), 'x'));
  }
  EXPECT_EQ(*object, *DecodeJson<sink::Sink>(kJson));
}

TEST(SharedDecoderTest, LargerThanItsScratchMemory) {
  SharedDecoder decoder;
  sink::Sink large;
  for (int i = 0; i < 50000; ++i) {
    large.metadata.owner_references.push_back(
        {.kind = "Kind", .name = absl::StrCat("the name of number ", i)});
  }
  const PaddedBuffer bytes(*EncodeProtobuf(large));
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(**decoder.DecodeProtobuf<sink::Sink>(bytes), large);
    EXPECT_EQ(*DecodeSink(decoder), *DecodeJson<sink::Sink>(kJson));
  }
}

TEST(SharedDecoderTest, TooLarge) {
  SharedDecoder decoder;
  // The size is checked before any byte is read.
  const absl::string_view bytes("", (size_t{512} << 20) + 1);
  const absl::Status status =
      decoder.DecodeAny(sink::Sink::kMessage, codec::Encoding::kProtobuf, bytes).status();
  EXPECT_TRUE(absl::IsResourceExhausted(status)) << status;
}

TEST(SharedDecoderTest, Prefix) {
  struct Case {
    absl::string_view name;
    absl::string_view text;
    size_t size;  // 0: an error
  };
  const std::vector<Case> cases = {
      {"whole", R"({"name":"a"})", 12},
      {"more", R"({"name":"a"},{)", 12},
      {"null", "null]", 4},
      {"no end", R"({"name":"a")", 0},
      {"no end of a string", R"({"name":"a)", 0},
      {"no end of an escape", R"({"name":"a\)", 0},
      {"half a literal", "nul", 0},
      {"no object", "[]", 0},
      {"nothing", "", 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    // Bytes after the text must not matter.
    for (const absl::string_view behind : {"", "\"}", "l", "}}", " \"\"}"}) {
      SharedDecoder decoder;
      const PaddedBuffer buffer(absl::StrCat(c.text, behind));
      const absl::StatusOr<SharedDecoder::Prefix> prefix = decoder.DecodeJsonPrefix(
          metav1::ObjectMeta::kMessage, buffer.view().substr(0, c.text.size()));
      EXPECT_EQ(prefix.ok() ? prefix->size : 0, c.size) << behind;
    }
  }
}

}  // namespace
}  // namespace kube::codec
