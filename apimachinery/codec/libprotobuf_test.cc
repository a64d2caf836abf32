// Checks the wire format against a second implementation besides Go's: libprotobuf, which knows the
// kitchen sink from its IDL only.

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>
#include <google/protobuf/util/message_differencer.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/time_text.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/internal/leaf.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/random_value.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "apimachinery/table/message.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/oracle/oracle.h"

namespace kube::codec::internal {
namespace {

namespace pb = google::protobuf;
using kube::table::kWireInline;

// The kitchen sink's types as libprotobuf knows them.
class Peer {
 public:
  Peer() : pool_(pb::DescriptorPool::generated_pool()), factory_(&pool_) {
    for (const char* file : {"codegen/options_proto", "codegen/types_proto",
                             "tests/kitchen_sink/base_idl", "tests/kitchen_sink/sink_idl"}) {
      Load(absl::StrCat(file, "-descriptor-set.proto.bin"));
    }
  }

  std::unique_ptr<pb::Message> New(absl::string_view type) {
    for (const char* package : {"kube.kitchen.base.v1.", "kube.kitchen.sink.v1."}) {
      const pb::Descriptor* descriptor = pool_.FindMessageTypeByName(absl::StrCat(package, type));
      if (descriptor == nullptr) continue;
      return std::unique_ptr<pb::Message>(factory_.GetPrototype(descriptor)->New());
    }
    return nullptr;
  }

 private:
  void Load(const std::string& name) {
    const absl::StatusOr<std::string> path = oracle::FindData("client_cpp", name);
    ASSERT_TRUE(path.ok()) << path.status();
    std::ifstream in(*path, std::ios::binary);
    pb::FileDescriptorSet files;
    ASSERT_TRUE(files.ParseFromIstream(&in));
    for (const pb::FileDescriptorProto& file : files.file()) {
      ASSERT_NE(pool_.BuildFile(file), nullptr) << file.name();
    }
  }

  pb::DescriptorPool pool_;
  pb::DynamicMessageFactory factory_;
};

std::string Deterministic(const pb::Message& message) {
  std::string wire;
  {
    pb::io::StringOutputStream stream(&wire);
    pb::io::CodedOutputStream out(&stream);
    out.SetSerializationDeterministic(true);
    message.SerializeToCodedStream(&out);
  }
  return wire;
}

// ---- Comparison of values: a member here, and a field or element there

constexpr int kNoIndex = -1;

struct Place {
  const pb::Message& message;
  const pb::FieldDescriptor* field;
  int index = kNoIndex;

  const pb::Reflection& reflection() const { return *message.GetReflection(); }
  const pb::Message& sub() const {
    return index == kNoIndex ? reflection().GetMessage(message, field)
                             : reflection().GetRepeatedMessage(message, field, index);
  }
  std::string text() const {
    return index == kNoIndex ? reflection().GetString(message, field)
                             : reflection().GetRepeatedString(message, field, index);
  }
  bool flag() const {
    return index == kNoIndex ? reflection().GetBool(message, field)
                             : reflection().GetRepeatedBool(message, field, index);
  }
  int32_t small() const {
    return index == kNoIndex ? reflection().GetInt32(message, field)
                             : reflection().GetRepeatedInt32(message, field, index);
  }
  int64_t big() const {
    return index == kNoIndex ? reflection().GetInt64(message, field)
                             : reflection().GetRepeatedInt64(message, field, index);
  }
  double real() const {
    return index == kNoIndex ? reflection().GetDouble(message, field)
                             : reflection().GetRepeatedDouble(message, field, index);
  }
};

Place Part(const pb::Message& message, int number) {
  return {message, message.GetDescriptor()->FindFieldByNumber(number)};
}

void ExpectSameMessage(const char* value, const Message& message, const uint16_t* wire,
                       size_t count, const pb::Message& peer);

void ExpectSameTime(int64_t since_year_1, int32_t micros, const pb::Message& peer) {
  const bool zero = since_year_1 == 0 && micros == 0;
  EXPECT_EQ(Part(peer, 1).big(), zero ? 0 : kube::text::Year1ToUnix(since_year_1));
  EXPECT_EQ(Part(peer, 2).small(), micros * 1000);
}

void ExpectSameValue(const char* value, Kind kind, const Message* sub, const Place& peer) {
  switch (kind) {
    case Kind::kString:
    case Kind::kBytes:
      EXPECT_EQ(TextOf(value), peer.text());
      break;
    case Kind::kBool:
      EXPECT_EQ(*value != 0, peer.flag());
      break;
    case Kind::kInt32:
      EXPECT_EQ(Load<int32_t>(value), peer.small());
      break;
    case Kind::kInt64:
      EXPECT_EQ(Load<int64_t>(value), peer.big());
      break;
    case Kind::kDouble:
      EXPECT_EQ(Load<double>(value), peer.real());
      break;
    case Kind::kMessage:
      ExpectSameMessage(value, *sub, sub->wire(), sub->wire_count, peer.sub());
      break;
    case Kind::kTime:
      ExpectSameTime(Load<int64_t>(value), 0, peer.sub());
      break;
    case Kind::kMicroTime:
      ExpectSameTime(Load<MicroTimeBits>(value).seconds, Load<MicroTimeBits>(value).micros,
                     peer.sub());
      break;
    case Kind::kDuration:
      EXPECT_EQ(Load<int64_t>(value), Part(peer.sub(), 1).big());
      break;
    case Kind::kQuantity: {
      std::string scratch;
      absl::string_view canonical;
      EXPECT_TRUE(CanonicalQuantity(TextOf(value), scratch, canonical));
      EXPECT_EQ(canonical, Part(peer.sub(), 1).text());
      break;
    }
    case Kind::kIntOrString:
      EXPECT_EQ(AsIntOrString(value).type, Part(peer.sub(), 1).big());
      EXPECT_EQ(AsIntOrString(value).number, Part(peer.sub(), 2).small());
      EXPECT_EQ(TextOf(AsIntOrString(value).text), Part(peer.sub(), 3).text());
      break;
    case Kind::kStringList: {
      Place item = Part(peer.sub(), 1);
      const ListBlock* block = AsBlock(value);
      ASSERT_EQ(static_cast<int>(SizeOf(block)),
                item.reflection().FieldSize(item.message, item.field));
      for (size_t i = 0; i < SizeOf(block); ++i) {
        item.index = static_cast<int>(i);
        EXPECT_EQ(TextOf(block->elements() + i * sizeof(StringRep)), item.text());
      }
      break;
    }
    default:  // raw values
      EXPECT_EQ(TextOf(value), Part(peer.sub(), 1).text());
      break;
  }
}

void ExpectSameMap(const ListBlock* block, const Message& message, const Field& field,
                   const Place& peer) {
  std::map<std::string, const pb::Message*> entries;
  const int size = peer.reflection().FieldSize(peer.message, peer.field);
  for (int i = 0; i < size; ++i) {
    const pb::Message& entry = peer.reflection().GetRepeatedMessage(peer.message, peer.field, i);
    entries[Part(entry, 1).text()] = &entry;
  }
  ASSERT_EQ(entries.size(), SizeOf(block));
  for (size_t i = 0; i < SizeOf(block); ++i) {
    const char* entry = block->elements() + i * field.element_size;
    const auto found = entries.find(std::string(TextOf(entry)));
    ASSERT_NE(found, entries.end()) << TextOf(entry);
    ExpectSameValue(entry + kEntryValue, field.kind, message.sub(field), Part(*found->second, 2));
  }
}

void ExpectSameField(const char* member, const Message& message, const Field& field, Place peer) {
  const bool held = field.shape == Shape::kBox   ? AsBox(member) != nullptr
                    : field.shape == Shape::kOpt ? member[field.element_size] != 0
                                                 : true;
  switch (field.shape) {
    case Shape::kOpt:
    case Shape::kBox:
      ASSERT_EQ(held, peer.reflection().HasField(peer.message, peer.field));
      if (!held) return;
      ExpectSameValue(field.shape == Shape::kBox ? AsBox(member) : member, field.kind,
                      message.sub(field), peer);
      break;
    case Shape::kValue:
      ExpectSameValue(member, field.kind, message.sub(field), peer);
      break;
    case Shape::kList: {
      const ListBlock* block = AsBlock(member);
      ASSERT_EQ(static_cast<int>(SizeOf(block)),
                peer.reflection().FieldSize(peer.message, peer.field));
      for (size_t i = 0; i < SizeOf(block); ++i) {
        peer.index = static_cast<int>(i);
        ExpectSameValue(block->elements() + i * field.element_size, field.kind, message.sub(field),
                        {peer.message, peer.field, peer.index});
      }
      break;
    }
    case Shape::kMap:
      ExpectSameMap(AsBlock(member), message, field, peer);
      break;
  }
}

void ExpectSameMessage(const char* value, const Message& message, const uint16_t* wire,
                       size_t count, const pb::Message& peer) {
  for (size_t i = 0; i < count; ++i) {
    if ((wire[i] & kWireInline) != 0) {
      const uint16_t* inlined = message.wire() + (wire[i] & ~kWireInline);
      ExpectSameMessage(value, message, inlined + 2, inlined[1], Part(peer, inlined[0]).sub());
      continue;
    }
    const Field& field = message.fields[wire[i]];
    SCOPED_TRACE(std::string(message.field_name(field)));
    const Place place = Part(peer, field.number);
    ASSERT_NE(place.field, nullptr) << field.number;
    ExpectSameField(value + field.offset, message, field, place);
  }
}

TEST(Libprotobuf, ReadsWhatWeWriteAndWritesWhatWeRead) {
  constexpr int kSeed = 77, kObjectsOfEachType = 40;
  Peer peer;
  for (const oracle::KitchenType& type : oracle::KitchenTypes()) {
    oracle::Dice dice(kSeed);
    for (int i = 0; i < kObjectsOfEachType; ++i) {
      SCOPED_TRACE(absl::StrCat(type.name, " ", i, ", seed ", kSeed));
      const Message& message = *type.message;
      SampleObject object(message);
      FillRandomly(dice, object.get(), message);
      std::string wire;
      ASSERT_TRUE(AppendProtobuf(wire, object.get(), message).ok());
      const std::unique_ptr<pb::Message> read = peer.New(type.name);
      ASSERT_NE(read, nullptr);
      ASSERT_TRUE(read->ParseFromString(wire));
      ExpectSameMessage(object.get(), message, message.wire(), message.wire_count, *read);

      SampleObject again(message);
      const PaddedBuffer theirs(Deterministic(*read));
      const absl::Status status = codec::DecodeInto(
          again.get(), message, codec::Encoding::kProtobuf, theirs.view(), DecodeOptions{});
      ASSERT_TRUE(status.ok()) << status;
      ExpectSameMessage(again.get(), message, message.wire(), message.wire_count, *read);
      std::string wire_again;
      ASSERT_TRUE(AppendProtobuf(wire_again, again.get(), message).ok());
      const std::unique_ptr<pb::Message> read_again = peer.New(type.name);
      ASSERT_TRUE(read_again->ParseFromString(wire_again));
      EXPECT_TRUE(pb::util::MessageDifferencer::Equivalent(*read, *read_again));
      if (testing::Test::HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace kube::codec::internal
