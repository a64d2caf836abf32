// A list that arrives in pieces is decoded like a list that arrives as a whole.
#include "apimachinery/codec/stream/list_reader.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/decode_protobuf.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/random_value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

namespace sink = kube::kitchen::sink::v1;
using testing::HasSubstr;

constexpr uint64_t kSeed = 99;
constexpr ContentType kContentTypes[] = {ContentType::kJson, ContentType::kProtobuf};

// The result of decoding a body.
struct Outcome {
  absl::Status status;
  std::vector<std::string> items;  // JSON
  std::string header;              // JSON

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

// Returns the size of the next chunk.
using NextChunk = std::function<size_t()>;

NextChunk Always(size_t size) {
  return [size] { return size; };
}

class Reader {
 public:
  explicit Reader(ContentType content_type, const ListReaderOptions& options = {},
                  const DecodeOptions& decode_options = {}, SharingStore* store = nullptr)
      : decoder_(decode_options, store), reader_(content_type, decoder_, options) {}

  absl::Status Append(absl::string_view bytes) {
    return reader_.Append(bytes, [&](std::shared_ptr<const sink::Sink> item) {
      outcome_.items.push_back(*EncodeJson(*item));
      return absl::OkStatus();
    });
  }
  Outcome Finish() {
    const absl::StatusOr<sink::SinkList> list = reader_.Finish();
    outcome_.status = list.status();
    if (list.ok()) outcome_.header = *EncodeJson(*list);
    return outcome_;
  }

 private:
  SharedDecoder decoder_;
  ListReader<sink::SinkList, sink::Sink> reader_;
  Outcome outcome_;
};

Outcome Read(ContentType content_type, absl::string_view body, const NextChunk& next_chunk,
             SharingStore* store = nullptr) {
  Reader reader(content_type, {}, {}, store);
  while (!body.empty()) {
    // The bytes after a chunk have not arrived yet.
    const std::string chunk(body.substr(0, next_chunk()));
    if (!reader.Append(chunk).ok()) break;
    body.remove_prefix(chunk.size());
  }
  return reader.Finish();
}

Outcome ReadWhole(ContentType content_type, absl::string_view body) {
  Outcome outcome;
  const PaddedBuffer buffer(body);
  absl::StatusOr<sink::SinkList> list = content_type == ContentType::kJson
                                            ? DecodeJson<sink::SinkList>(buffer)
                                            : DecodeKubernetesProtobuf<sink::SinkList>(buffer);
  outcome.status = list.status();
  if (!list.ok()) return outcome;
  for (const sink::Sink& item : list->items) outcome.items.push_back(*EncodeJson(item));
  list->items = {};
  outcome.header = *EncodeJson(*list);
  return outcome;
}

sink::SinkList MakeList(size_t items, uint64_t seed) {
  oracle::Dice dice(seed);
  sink::SinkList list;
  list.kind = "SinkList";
  list.api_version = "sink.kitchen/v1";
  list.metadata.resource_version = "12345";
  list.metadata.continue_ = "a token";
  for (size_t i = 0; i < items; ++i) {
    sink::Sink item;
    internal::FillRandomly(dice, reinterpret_cast<char*>(&item), sink::Sink::kMessage,
                           {.max_depth = static_cast<int>(i % 4), .survives = true});
    list.items.push_back(std::move(item));
  }
  return list;
}

std::string BodyOf(const sink::SinkList& list, ContentType content_type) {
  return content_type == ContentType::kJson
             ? *EncodeJson(list)
             : *EncodeKubernetesProtobuf(list, {.api_version = "v1", .kind = "SinkList"});
}

TEST(ListReaderTest, EverySplit) {
  sink::SinkList list = MakeList(2, kSeed);
  list.items.push_back(sink::Sink());
  list.items[2].metadata.name = "größer \"als\\ 😀{[";
  for (const ContentType content_type : kContentTypes) {
    const std::string body = BodyOf(list, content_type);
    const Outcome want = ReadWhole(content_type, body);
    ASSERT_TRUE(want.status.ok()) << want.status;
    ASSERT_EQ(want.items.size(), 3);
    EXPECT_THAT(want.header, HasSubstr(R"("resourceVersion":"12345")"));
    EXPECT_EQ(Read(content_type, body, Always(1)), want) << "byte by byte";
    for (size_t at = 0; at <= body.size(); ++at) {
      size_t calls = 0;
      const NextChunk split = [&] { return calls++ == 0 ? at : body.size(); };
      ASSERT_EQ(Read(content_type, body, split), want) << at << " of " << body.size();
    }
  }
}

TEST(ListReaderTest, RandomChunks) {
  for (const ContentType content_type : kContentTypes) {
    oracle::Dice dice(kSeed);
    for (int i = 0; i < 20; ++i) {
      SCOPED_TRACE(absl::StrCat(i, ", seed ", kSeed));
      const std::string body = BodyOf(MakeList(dice() % 30, dice()), content_type);
      const Outcome want = ReadWhole(content_type, body);
      ASSERT_TRUE(want.status.ok()) << want.status;
      const size_t most = size_t{1} << (dice() % 18);
      SharingStore store;
      for (SharingStore* each : {static_cast<SharingStore*>(nullptr), &store, &store, &store}) {
        ASSERT_EQ(Read(
                      content_type, body, [&] { return 1 + dice() % most; }, each),
                  want);
      }
    }
  }
}

TEST(ListReaderTest, EveryTruncation) {
  const sink::SinkList list = MakeList(2, kSeed);
  for (const ContentType content_type : kContentTypes) {
    const std::string body = BodyOf(list, content_type);
    const size_t items = ReadWhole(content_type, body).items.size();
    for (size_t size = 0; size < body.size(); ++size) {
      const Outcome outcome =
          Read(content_type, absl::string_view(body).substr(0, size), Always(body.size()));
      // The fields of the envelope after the list may be missing.
      const bool whole = content_type == ContentType::kProtobuf && outcome.items.size() == items &&
                         ReadWhole(content_type, body.substr(0, size)).status.ok();
      EXPECT_EQ(outcome.status.ok(), whole) << size << " of " << body.size();
      EXPECT_TRUE(whole || absl::IsInvalidArgument(outcome.status)) << outcome.status;
    }
  }
}

TEST(ListReaderTest, Json) {
  struct Case {
    absl::string_view name;
    absl::string_view body;
    absl::string_view error = "";  // none: as the whole body
  };
  const std::vector<Case> cases = {
      {"empty object", "{}"},
      {"null items", R"({"items":null})"},
      {"no items", R"({"items":[]})"},
      {"no items, spaces", " \t\r\n{ \"items\" : [ ] , \"kind\" : \"K\" } \n"},
      {"items before metadata", R"({"items":[{},{}],"metadata":{"resourceVersion":"7"}})"},
      {"null for an item", R"({"items":[null,{"metadata":{"name":"a"}},null]})"},
      {"unknown fields",
       R"({"a":1,"b":[{"c":"]}"},[]],"d":null,"e":-1.5e3,"f":"g","items":[{"x":[{}]}]})"},
      {"escaped names", R"({"\u0069tems":[{}],"\u006betadata":{}})"},
      {"duplicate metadata", R"({"metadata":{"continue":"a"},"metadata":{"resourceVersion":"b"}})"},
      {"invalid UTF-8 in a header",
       "{\"metadata\":{\"continue\":\"\xff\"},\"items\":[{\"metadata\":{\"name\":\"\xc3\"}}]}"},
      {"invalid UTF-8 in one item",
       "{\"items\":[{\"metadata\":{\"name\":\"\xf0\x9f\x98\"}},{\"metadata\":{\"name\":\"b\"}},{"
       "\"metadata\":{\"name\":\"\xf0\x9f\x98\x80\"}}]}"},
      {"empty", "", "decode SinkList: unexpected end of input (byte 0)"},
      {"spaces", "  ", "decode SinkList: unexpected end of input (byte 2)"},
      {"no object", "[]", "decode SinkList: expected an object (byte 0)"},
      {"null", " null ", "decode SinkList: expected an object (byte 1)"},
      {"byte order mark", "\xef\xbb\xbf{}", "decode SinkList: expected an object (byte 0)"},
      {"no name", "{1:2}", "decode SinkList: expected a field name in quotes (byte 1)"},
      {"comma before the end", R"({"a":1,})",
       "decode SinkList: expected a field name in quotes (byte 7)"},
      {"comma after the items", R"({"items":[{},]})",
       "decode SinkList: items[1] (from byte 13): decode Sink: expected an object (line 1, column "
       "1)"},
      {"no colon", R"({"a" 1})", "decode SinkList: expected ':' after a name (byte 1)"},
      {"no comma", R"({"a":1 "b":2})",
       "decode SinkList: expected ',' or '}' after a field (byte 7)"},
      {"no comma between items", R"({"items":[{} {}]})",
       "decode SinkList: expected ',' or ']' after an item (byte 13)"},
      {"control character in a name", "{\"a\n\":1}",
       "decode SinkList: control character in a string (byte 1)"},
      {"bad escape in a name", R"({"\x":1})", "decode SinkList: "},
      {"bad value of an unknown field", R"({"a":[1,]})",
       "decode SinkList: expected a value (byte 1)"},
      {"items of another type", R"({"items":{}})",
       "decode SinkList: items: expected an array (byte 1)"},
      {"item of another type", R"({"items":[{},7]})",
       "decode SinkList: items[1] (from byte 13): decode Sink: expected an object (line 1, column "
       "1)"},
      {"broken item", R"({"items":[{"metadata":{"name":1}}]})",
       "decode SinkList: items[0] (from byte 10): decode Sink: metadata.name: expected a string "
       "(line "
       "1, column 21)"},
      {"mixed brackets", R"({"items":[{"metadata":{]}}]})",
       "decode SinkList: items[0] (from byte 10): "},
      {"metadata of another type", R"({"metadata":1})",
       "decode SinkList: metadata: expected an object (byte 1)"},
      {"more text", R"({"items":[]}x)",
       "decode SinkList: unexpected data after the list (byte 12)"},
      {"items twice", R"({"items":[{}],"items":[{}]})",
       "decode SinkList: duplicate field \"items\" (byte 14)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    const Outcome whole = ReadWhole(ContentType::kJson, c.body);
    EXPECT_TRUE(whole.status.ok() || !c.error.empty()) << whole.status;
    for (const size_t size : {1, 2, 3, 1000}) {
      const Outcome outcome = Read(ContentType::kJson, c.body, Always(size));
      if (c.error.empty()) {
        EXPECT_EQ(outcome, whole) << outcome.status;
      } else {
        EXPECT_TRUE(absl::IsInvalidArgument(outcome.status));
        EXPECT_THAT(std::string(outcome.status.message()),
                    testing::StartsWith(std::string(c.error)));
      }
    }
  }
}

TEST(ListReaderTest, Protobuf) {
  struct Case {
    absl::string_view name;
    std::string body;
    absl::string_view error = "";  // none: as the whole body
  };
  const auto bytes = [](uint8_t number, absl::string_view value) {
    return absl::StrCat(std::string(1, static_cast<char>(number << 3 | 2)),
                        std::string(1, static_cast<char>(value.size())), value);
  };
  const std::string prefix("k8s\0", 4);
  const std::string meta = bytes(1, absl::StrCat(bytes(1, "v1"), bytes(2, "SinkList")));
  const std::string header = bytes(1, bytes(2, "7"));
  const std::string item = bytes(2, bytes(1, bytes(1, "a name")));
  const std::vector<Case> cases = {
      {"as servers write it",
       absl::StrCat(prefix, meta, bytes(2, header + item + item), bytes(3, ""), bytes(4, ""))},
      {"without a type", absl::StrCat(prefix, bytes(2, header + item))},
      {"the type behind", absl::StrCat(prefix, bytes(2, item + header), meta)},
      {"empty list", absl::StrCat(prefix, bytes(2, ""))},
      {"empty items", absl::StrCat(prefix, bytes(2, bytes(2, "") + bytes(2, "")))},
      {"metadata in two",
       absl::StrCat(prefix, bytes(2, header + item + bytes(1, bytes(3, "token"))))},
      {"unknown fields", absl::StrCat(prefix, bytes(9, "x"),
                                      bytes(2, bytes(9, "x") + item + "\x50\x80\x01" +
                                                   "\x5d"
                                                   "abcd")) +
                             "\x50\x01"},
      {"long varints",
       prefix + std::string("\x92\x80\x80\x80\x00\x84\x80\x00\x92\x80\x00\x00", 12)},
      {"empty", "", "decode SinkList: unexpected end of the body (byte 0)"},
      {"JSON", "{}",
       "decode SinkList: provided data does not appear to be a protobuf message, expected prefix "
       "[107 56 115 0] (byte 0)"},
      {"no list", absl::StrCat(prefix, meta),
       "decode SinkList: unexpected end of the body (byte 20)"},
      {"two lists", absl::StrCat(prefix, bytes(2, ""), bytes(2, "")),
       "decode SinkList: more than one list in the envelope (byte 6)"},
      {"unknown encoding", absl::StrCat(prefix, bytes(2, ""), bytes(3, "gzip")),
       "decode SinkList: unknown content encoding (byte 6)"},
      {"broken type", absl::StrCat(prefix, bytes(1, "\x0a\x05"), bytes(2, "")),
       "decode SinkList: invalid envelope (byte 4)"},
      {"type of another wire type", absl::StrCat(prefix, "\x08\x01"),
       "decode SinkList: invalid envelope (byte 4)"},
      {"field 0", prefix + std::string("\x02\x00", 2),
       "decode SinkList: expected a field number greater than zero (byte 4)"},
      {"a value beyond the list", absl::StrCat(prefix, "\x12\x03\x12\x05", "abcdefgh"),
       "decode SinkList: truncated value (byte 6)"},
      {"an endless varint", prefix + std::string(30, '\xff'),
       "decode SinkList: truncated value (byte 4)"},
      {"an enormous value", prefix + "\x1a\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
       "decode SinkList: value of 9223372036854775807 bytes exceeds the limit of 268435456 bytes "
       "(byte 4)"},
      {"a broken item", absl::StrCat(prefix, bytes(2, item + bytes(2, "\x0a\x05"))),
       "decode SinkList: items[1] (from byte 20): decode Sink: metadata: truncated value (byte 1)"},
      {"a broken header", absl::StrCat(prefix, bytes(2, bytes(1, "\x12\x05"))),
       "decode SinkList: metadata.resourceVersion: truncated value (byte 6)"},
      {"groups are not supported", absl::StrCat(prefix, bytes(2, "\x53\x54")),
       "decode SinkList: groups are not supported (byte 6)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    const Outcome whole = ReadWhole(ContentType::kProtobuf, c.body);
    EXPECT_TRUE(whole.status.ok() || !c.error.empty()) << whole.status;
    for (const size_t size : {1, 2, 3, 1000}) {
      const Outcome outcome = Read(ContentType::kProtobuf, c.body, Always(size));
      if (c.error.empty()) {
        EXPECT_EQ(outcome, whole) << outcome.status;
      } else {
        EXPECT_TRUE(absl::IsInvalidArgument(outcome.status));
        EXPECT_EQ(std::string(outcome.status.message()), std::string(c.error));
      }
    }
  }
}

TEST(ListReaderTest, Limit) {
  sink::SinkList list;
  list.items = {sink::Sink(), sink::Sink()};
  list.items[1].metadata.name = std::string(200, 'x');
  for (const ContentType content_type : kContentTypes) {
    const std::string body = BodyOf(list, content_type);
    for (const size_t chunk : {size_t{1}, size_t{50}, body.size()}) {
      Reader reader(content_type, {.max_item_bytes = 150});
      absl::Status status;
      for (size_t at = 0; at < body.size() && status.ok(); at += chunk) {
        status = reader.Append(body.substr(at, chunk));
      }
      EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
      EXPECT_THAT(std::string(status.message()), HasSubstr("150"));
      EXPECT_EQ(reader.Finish().items.size(), 1);
    }
  }
}

TEST(ListReaderTest, ErrorsStay) {
  for (const ContentType content_type : kContentTypes) {
    const std::string body = BodyOf(MakeList(3, kSeed), content_type);
    SharedDecoder decoder;
    ListReader<sink::SinkList, sink::Sink> reader(content_type, decoder);
    int calls = 0;
    const auto stop = [&](std::shared_ptr<const sink::Sink>) {
      return ++calls == 2 ? absl::CancelledError("enough") : absl::OkStatus();
    };
    EXPECT_EQ(reader.Append(body, stop), absl::CancelledError("enough"));
    EXPECT_EQ(reader.Append(body, stop), absl::CancelledError("enough"));
    EXPECT_EQ(reader.Finish().status(), absl::CancelledError("enough"));
    EXPECT_EQ(calls, 2);
  }
}

TEST(ListReaderTest, StrictItems) {
  Reader reader(ContentType::kJson, {}, {.field_validation = FieldValidation::kStrict});
  const absl::Status status =
      reader.Append(R"({"unknown":1,"items":[{},{"metadata":{"nome":"x"}}]})");
  EXPECT_EQ(
      std::string(status.message()),
      "decode SinkList: items[1] (from byte 25): decode Sink: unknown field \"metadata.nome\"");
}

// The boundaries of chunks must not influence what the store keeps.
TEST(ListReaderTest, PartsOfItemsAreNotSeenTwice) {
  sink::SinkList list;
  for (int i = 0; i < 50; ++i) {
    sink::Sink item;
    item.metadata.name = absl::StrCat("a long and unique name ", i);
    item.metadata.labels = {{"unique", absl::StrCat("a long and unique label ", i)}};
    list.items.push_back(std::move(item));
  }
  const std::string body = BodyOf(list, ContentType::kJson);
  for (const size_t chunk : {1, 10, 100, 150, 300, 1000, 100000}) {
    SharingStore store;
    EXPECT_EQ(Read(ContentType::kJson, body, Always(chunk), &store).items.size(), 50);
    EXPECT_EQ(store.statistics().values, 0) << chunk;
  }
}

}  // namespace
}  // namespace kube::codec
