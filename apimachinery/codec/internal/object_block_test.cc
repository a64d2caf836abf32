// Objects in one block: they take the memory that the decoder counts, and are equal to the objects
// that are decoded by value.
#include "apimachinery/codec/internal/object_block.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/internal/block_writer.h"
#include "apimachinery/codec/internal/builder.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/json/json_decoder.h"
#include "apimachinery/codec/protobuf/wire_decoder.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec::internal {
namespace {

namespace sink = kube::kitchen::sink::v1;
using kube::table::AlignUp;

constexpr uint64_t kSeed = 77;
constexpr size_t kHead = 32 + 8;  // the control block, and the sizes before the struct

std::string Encode(const SampleObject& object, codec::Encoding encoding) {
  std::string bytes;
  const absl::Status status = encoding == codec::Encoding::kJson
                                  ? AppendJson(bytes, object.get(), object.message())
                                  : AppendProtobuf(bytes, object.get(), object.message());
  EXPECT_TRUE(status.ok()) << status;
  return bytes;
}

// Calls `check` with random objects of each type in both encodings.
template <typename Check>
void ForEncodedObjects(const Check& check) {
  for (const oracle::KitchenType& type : oracle::KitchenTypes()) {
    oracle::Dice dice(kSeed);
    for (int i = 0; i < 40; ++i) {
      SampleObject object(*type.message);
      FillRandomly(dice, object.get(), *type.message, {.survives = true});
      for (const codec::Encoding encoding : {codec::Encoding::kJson, codec::Encoding::kProtobuf}) {
        SCOPED_TRACE(absl::StrCat(type.name, " ", i, ", seed ", kSeed, ", ",
                                  encoding == codec::Encoding::kJson ? "JSON" : "protobuf"));
        check(*type.message, encoding, PaddedBuffer(Encode(object, encoding)));
        if (testing::Test::HasFailure()) return;
      }
    }
  }
}

// Decodes into scratch memory.
class Scratch {
 public:
  Scratch(const kube::table::Message& message, codec::Encoding encoding, const PaddedBuffer& bytes)
      : message_(message), object_(memory_.Get(message.size)) {
    ScratchBuilder builder(memory_);
    const DecodeContext context;
    if (encoding == codec::Encoding::kJson) {
      JsonDecoder<ScratchBuilder> decoder(builder, bytes.view(), true, context);
      ok_ = decoder.DecodeDocument(object_, bytes.data(), message) != nullptr;
    } else {
      WireDecoder<ScratchBuilder> decoder(builder, context);
      ok_ = decoder.DecodeMessage(object_, bytes.data(), bytes.data() + bytes.size(), message);
    }
  }

  bool ok() const { return ok_; }
  size_t counted() const { return memory_.block_bytes(); }
  size_t exact() const {
    return BlockBytes(object_, 1, 0, {kube::table::Kind::kMessage, message_.size, &message_});
  }
  std::shared_ptr<const void> Block(size_t bytes) {
    std::vector<SharingNode*> nodes;
    absl::StatusOr<std::shared_ptr<const void>> block =
        MakeObjectBlock(object_, message_, bytes, nodes);
    EXPECT_TRUE(block.ok()) << block.status();
    return *std::move(block);
  }

 private:
  const kube::table::Message& message_;
  ScratchMemory memory_;
  char* object_;
  bool ok_ = false;
};

TEST(ObjectBlockTest, DecodersCountExactly) {
  ForEncodedObjects(
      [](const kube::table::Message& message, codec::Encoding encoding, const PaddedBuffer& bytes) {
        const Scratch scratch(message, encoding, bytes);
        ASSERT_TRUE(scratch.ok()) << bytes.view();
        EXPECT_EQ(scratch.counted(), scratch.exact()) << bytes.view();
      });
}

TEST(ObjectBlockTest, IsTheValue) {
  ForEncodedObjects(
      [](const kube::table::Message& message, codec::Encoding encoding, const PaddedBuffer& bytes) {
        SampleObject value(message);
        ASSERT_TRUE(codec::DecodeInto(value.get(), message, encoding, bytes.view(), {}).ok());
        Scratch scratch(message, encoding, bytes);
        const std::shared_ptr<const void> block = scratch.Block(scratch.counted());
        EXPECT_EQ(reinterpret_cast<uintptr_t>(block.get()) % 8, 0);
        EXPECT_EQ(ObjectBlockBytes(block.get()),
                  kHead + AlignUp(message.size) + AlignUp(scratch.exact()));
        const char* object = static_cast<const char*>(block.get());
        EXPECT_TRUE(kube::table::EqualMessages(object, value.get(), message));
        std::string again;
        ASSERT_TRUE(AppendProtobuf(again, object, message).ok());
        EXPECT_EQ(again, Encode(value, codec::Encoding::kProtobuf));
      });
}

TEST(ObjectBlockTest, CountsByLookingWhereTheCountWasWrong) {
  ForEncodedObjects(
      [](const kube::table::Message& message, codec::Encoding encoding, const PaddedBuffer& bytes) {
        Scratch scratch(message, encoding, bytes);
        if (scratch.counted() == 0) return;
        const std::shared_ptr<const void> block = scratch.Block(scratch.counted() / 2);
        const std::shared_ptr<const void> other = scratch.Block(scratch.counted());
        EXPECT_LE(ObjectBlockBytes(block.get()), ObjectBlockBytes(other.get()));
        EXPECT_TRUE(kube::table::EqualMessages(static_cast<const char*>(block.get()),
                                               static_cast<const char*>(other.get()), message));
      });
}

TEST(ObjectBlockTest, WhatComesTwiceCountsOnceInTheEnd) {
  struct Case {
    absl::string_view name;
    absl::string_view json;
  };
  // Each is longer than an inline string.
  const std::vector<Case> cases = {
      {"string", R"({"text":"aaaaaaaaaaaaaaaaaaaa","text":"bbbbbbbbbbbbbbbbbbbb"})"},
      {"list, shorter", R"({"texts":["aaaaaaaaaaaaaaaaaaaa","b"],"texts":["c"]})"},
      {"list, longer", R"({"texts":["c"],"texts":["aaaaaaaaaaaaaaaaaaaa","b"]})"},
      {"list, shorter, then longer",
       R"({"texts":["a","b","c"],"texts":["d"],"texts":["e",null,null]})"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    const PaddedBuffer bytes(c.json);
    for (const oracle::KitchenType& type : oracle::KitchenTypes()) {
      SampleObject value(*type.message);
      if (!codec::DecodeInto(value.get(), *type.message, codec::Encoding::kJson, bytes.view(), {})
               .ok())
        continue;
      Scratch scratch(*type.message, codec::Encoding::kJson, bytes);
      ASSERT_TRUE(scratch.ok());
      const std::shared_ptr<const void> block = scratch.Block(scratch.counted());
      EXPECT_TRUE(kube::table::EqualMessages(static_cast<const char*>(block.get()), value.get(),
                                             *type.message))
          << type.name;
    }
  }
}

TEST(ObjectBlockTest, TooLarge) {
  ScratchMemory memory;
  const kube::table::Message& message = sink::Plain::kMessage;
  std::vector<SharingNode*> nodes;
  const absl::StatusOr<std::shared_ptr<const void>> block =
      MakeObjectBlock(memory.Get(message.size), message, size_t{4} << 30, nodes);
  EXPECT_TRUE(absl::IsResourceExhausted(block.status())) << block.status();
}

TEST(ObjectBlockTest, ScratchMemoryIsZeroAgain) {
  ScratchMemory memory(64);
  oracle::Dice dice(kSeed);
  for (int round = 0; round < 200; ++round) {
    for (int i = 0; i < 20; ++i) {
      const size_t bytes = dice() % 300;
      char* got = memory.Get(bytes);
      for (size_t at = 0; at < bytes; ++at) ASSERT_EQ(got[at], 0) << round;
      std::fill(got, got + bytes, 'x');
    }
    memory.Reset();
  }
}

}  // namespace
}  // namespace kube::codec::internal
