// Watches in all forms, cut into any pieces.
#include "apimachinery/codec/stream/watch_reader.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec {
namespace {

namespace metav1 = kube::kitchen::base::v1;

// Any struct can stand in for a Status: here {type, status, reason, message ...}.
using Object = kube::kitchen::sink::v1::Tap;
using Status = metav1::Condition;
using Frame = WatchFrame<Object, Status>;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

struct Outcome {
  absl::Status status;
  std::vector<std::string> events;  // the type and JSON
  bool between = false;             // whether the body may end there
};

Outcome Read(ContentType content_type, absl::string_view body, size_t chunk_size,
             const WatchReaderOptions& options = {}, const DecodeOptions& decode_options = {},
             SharingStore* store = nullptr) {
  SharedDecoder decoder(decode_options, store);
  WatchReader<Object, Status> reader(content_type, decoder, options);
  Outcome outcome;
  while (!body.empty() && outcome.status.ok()) {
    // The bytes after a chunk have not arrived yet.
    const std::string chunk(body.substr(0, chunk_size));
    body.remove_prefix(chunk.size());
    outcome.status = reader.Append(chunk, [&](Frame frame) {
      EXPECT_EQ(frame.type == "ERROR", frame.object == nullptr);
      if (!frame.unexpected_kind.empty()) {
        EXPECT_EQ(frame.status, nullptr);
        outcome.events.push_back(absl::StrCat(frame.type, " of a ", frame.unexpected_kind));
        return absl::OkStatus();
      }
      EXPECT_EQ(frame.type == "ERROR", frame.status != nullptr);
      outcome.events.push_back(absl::StrCat(
          frame.type, " ",
          frame.object != nullptr ? *EncodeJson(*frame.object) : *EncodeJson(*frame.status)));
      return absl::OkStatus();
    });
  }
  outcome.between = reader.IsBetweenEvents();
  return outcome;
}

std::string NameEvent(absl::string_view type, absl::string_view name) {
  return absl::StrCat(type, R"( {"metadata":{"name":")", name, R"("}})");
}

// behaviour.md: COD-3
TEST(WatchReaderTest, Json) {
  struct Case {
    absl::string_view name;
    absl::string_view body;
    std::vector<std::string> events;
    absl::string_view error = "";
    bool between = true;
  };
  const std::string a = NameEvent("ADDED", "a");
  const std::vector<Case> cases = {
      {"nothing", "", {}},
      {"blank lines", "\n \r\n\t\n", {}},
      {"as servers write it",
       R"({"type":"ADDED","object":{"metadata":{"name":"a"}}})"
       "\n",
       {a}},
      {"several, without a line between",
       R"({"type":"ADDED","object":{"metadata":{"name":"a"}}}{"type":"DELETED","object":{"metadata":{"name":"b"}}})",
       {a, NameEvent("DELETED", "b")}},
      {"an event a line",
       R"({"type":"ADDED","object":{"metadata":{"name":"a"}}})"
       "\n"
       R"({"type":"DELETED","object":{"metadata":{"name":"b"}}})"
       "\n",
       {a, NameEvent("DELETED", "b")}},
      {"lines within an event",
       "{\"type\":\"ADDED\",\"object\":{\n\"metadata\":\n{\"name\":\n\"a\"}\n}}\n"
       "{\"type\":\"DELETED\",\"object\":{\"metadata\":{\"name\":\"b\"}}\n}\n",
       {a, NameEvent("DELETED", "b")}},
      {"object before type", R"({"object":{"metadata":{"name":"a"}},"type":"ADDED"})", {a}},
      {"object before type, of an error",
       R"({"object":{"type":"t"},"type":"ERROR"})",
       {R"(ERROR {"type":"t","status":"","lastTransitionTime":null,"reason":"","message":""})"}},
      {"error",
       R"({"type":"ERROR","object":{"type":"t"}})",
       {R"(ERROR {"type":"t","status":"","lastTransitionTime":null,"reason":"","message":""})"}},
      {"an error of kind Status",
       R"({"type":"ERROR","object":{"kind":"Status","type":"t"}})",
       {R"(ERROR {"type":"t","status":"","lastTransitionTime":null,"reason":"","message":""})"}},
      {"an error of another kind",
       R"({"type":"ERROR","object":{"status":{"a":1},"kind":"Tap"}})",
       {"ERROR of a Tap"}},
      {"an error with a kind that is none",
       R"({"type":"ERROR","object":{"kind":1,"type":"t"}})",
       {R"(ERROR {"type":"t","status":"","lastTransitionTime":null,"reason":"","message":""})"}},
      {"bookmark",
       R"({"type":"BOOKMARK","object":{"kind":"Tap","apiVersion":"v1","metadata":{"resourceVersion":"7"}}})",
       {R"(BOOKMARK {"kind":"Tap","apiVersion":"v1","metadata":{"resourceVersion":"7"}})"}},
      {"more members",
       R"({"a":[{"b":"}"}],"type":"ADDED","c":null,"object":{"metadata":{"name":"a"}},"d":1})",
       {a}},
      {"white space",
       " { \"type\" : \"ADDED\" , \"object\" : { \"metadata\" : {\"name\":\"a\"} } } ",
       {a}},
      {"escaped names",
       R"({"\u0074ype":"\u0041DDED","objec\u0074":{"metadata":{"name":"a"}}})",
       {a}},
      {"a type that nobody knows",
       R"({"type":"a\nb","object":{"metadata":{"name":"a"}}})",
       {NameEvent("a\nb", "a")}},
      {"type twice, object twice",
       R"({"type":"x","object":{},"object":{"metadata":{"name":"a"}},"type":"ADDED"})",
       {a}},
      {"half an event",
       R"({"type":"ADDED","object":{"metadata":{"name":"a"}}}{"type":"ADDED","obj)",
       {a},
       "",
       false},
      {"an event but for its end",
       R"({"type":"ADDED","object":{"metadata":{"name":"a"}})",
       {},
       "",
       false},
      {"no object",
       R"({"type":"ADDED","object":{"metadata":{"name":"a"}}}[])",
       {a},
       "decode watch of Tap: expected an object (byte 51)"},
      {"no type", R"({"object":{}})", {}, "decode watch of Tap: event has no type (byte 0)"},
      {"null type",
       R"({"type":null,"object":{}})",
       {},
       "decode watch of Tap: event has no type (byte 0)"},
      {"event has no object",
       R"({"type":"ADDED"})",
       {},
       "decode watch of Tap: event has no object (byte 0)"},
      {"null object",
       R"({"type":"ADDED","object":null})",
       {},
       "decode watch of Tap: event has no object (byte 0)"},
      {"a broken object",
       R"({"type":"ADDED","object":{"metadata":{"name":1}}})",
       {},
       "decode watch of Tap: object (from byte 25): decode Tap: metadata.name: expected a string "
       "(line "
       "1, column 21)"},
      {"a broken event",
       R"({"type":"ADDED" "object":{}})",
       {},
       "decode watch of Tap: not a JSON object (byte 16)"},
      {"a comma before the end",
       R"({"type":"ADDED","object":{},})",
       {},
       "decode watch of Tap: not a JSON object (byte 28)"},
      {"a comma before the start",
       R"({,"type":"ADDED","object":{}})",
       {},
       "decode watch of Tap: not a JSON object (byte 1)"},
      {"mixed brackets",
       R"({"type":"ADDED","object":{}])",
       {},
       "decode watch of Tap: not a JSON object (byte 27)"},
      {"a control character in the type",
       "{\"type\":\"AD\nDED\",\"object\":{}}",
       {},
       "decode watch of Tap: not a JSON object (byte 11)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    for (const size_t chunk_size : {1, 2, 3, 7, 1000}) {
      const Outcome outcome = Read(ContentType::kJson, c.body, chunk_size);
      EXPECT_EQ(std::string(outcome.status.message()), std::string(c.error)) << chunk_size;
      EXPECT_EQ(outcome.events, c.events) << chunk_size;
      EXPECT_TRUE(outcome.between == c.between || !c.error.empty()) << chunk_size;
    }
  }
}

std::string Bytes(int number, absl::string_view value) {
  return absl::StrCat(std::string(1, static_cast<char>(number << 3 | 2)),
                      std::string(1, static_cast<char>(value.size())), value);
}

std::string WithLength(absl::string_view event) {
  return absl::StrCat(std::string(3, '\0'), std::string(1, static_cast<char>(event.size())), event);
}

std::string Envelope(absl::string_view object, absl::string_view kind = "Tap") {
  return absl::StrCat(absl::string_view("k8s\0", 4), Bytes(1, Bytes(1, "v1") + Bytes(2, kind)),
                      Bytes(2, object), Bytes(3, ""), Bytes(4, ""));
}

std::string Event(absl::string_view type, absl::string_view body) {
  return WithLength(absl::StrCat(Bytes(1, type), Bytes(2, Bytes(1, body))));
}

// behaviour.md: COD-1
TEST(WatchReaderTest, Protobuf) {
  struct Case {
    absl::string_view name;
    std::string body;
    std::vector<std::string> events;
    absl::string_view error = "";
    bool between = true;
  };
  const std::string a = NameEvent("ADDED", "a");
  const std::string object = Bytes(1, Bytes(1, "a"));
  const std::string added = Event("ADDED", Envelope(object));
  const std::vector<Case> cases = {
      {"nothing", "", {}},
      {"two", added + Event("DELETED", Envelope(object)), {a, NameEvent("DELETED", "a")}},
      {"error",
       Event("ERROR", Envelope(Bytes(1, "t"), "Status")),
       {R"(ERROR {"type":"t","status":"","lastTransitionTime":null,"reason":"","message":""})"}},
      {"an error without a kind",
       Event("ERROR", Envelope(Bytes(1, "t"), "")),
       {R"(ERROR {"type":"t","status":"","lastTransitionTime":null,"reason":"","message":""})"}},
      {"an error of another kind", Event("ERROR", Envelope("\xff")), {"ERROR of a Tap"}},
      {"object before type",
       WithLength(Bytes(2, Bytes(1, Envelope(object))) + Bytes(1, "ADDED")),
       {a}},
      {"unknown fields",
       WithLength(Bytes(9, "x") + Bytes(1, "ADDED") + Bytes(2, Bytes(1, Envelope(object))) +
                  Bytes(8, "y")),
       {a}},
      {"half a length", added + std::string(2, '\0'), {a}, "", false},
      {"half an event", added + added.substr(0, 30), {a}, "", false},
      {"a frame of no bytes",
       added + std::string(4, '\0'),
       {a},
       "decode watch of Tap: event has no type (byte 41)"},
      {"no type",
       WithLength(Bytes(2, Bytes(1, Envelope(object)))),
       {},
       "decode watch of Tap: event has no type (byte 0)"},
      {"no object",
       WithLength(Bytes(1, "ADDED")),
       {},
       "decode watch of Tap: event has no object (byte 0)"},
      {"no event", WithLength("garbage"), {}, "decode watch of Tap: not a WatchEvent (byte 0)"},
      {"JSON in an event",
       Event("ADDED", "{}"),
       {},
       "decode watch of Tap: object (from byte 15): decode body of "
       "application/vnd.kubernetes.protobuf: provided data does not appear to be a protobuf "
       "message, expected prefix [107 56 115 0]"},
      {"a broken envelope",
       Event("ADDED", Envelope(object).substr(0, 8)),
       {},
       "decode watch of Tap: object (from byte 15): decode body of "
       "application/vnd.kubernetes.protobuf: invalid envelope"},
      {"an unknown encoding",
       Event("ADDED", Envelope(object) + Bytes(3, "gzip")),
       {},
       "decode watch of Tap: object (from byte 15): unknown content encoding: gzip"},
      {"a broken object",
       Event("ADDED", Envelope("\x0a\x05")),
       {},
       "decode watch of Tap: object (from byte 15): decode Tap: metadata: truncated value (byte "
       "1)"},
      {"an enormous frame",
       std::string("\x01\x00\x00\x01", 4),
       {},
       "decode watch of Tap: event exceeds the limit of 16777216 bytes (byte 0)"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(c.name));
    for (const size_t chunk_size : {1, 2, 3, 7, 1000}) {
      const Outcome outcome = Read(ContentType::kProtobuf, c.body, chunk_size);
      EXPECT_EQ(std::string(outcome.status.message()), std::string(c.error)) << chunk_size;
      EXPECT_EQ(outcome.events, c.events) << chunk_size;
      EXPECT_TRUE(outcome.between == c.between || !c.error.empty()) << chunk_size;
    }
  }
}

// behaviour.md: COD-1
TEST(WatchReaderTest, Limit) {
  const auto event = [](size_t size) {
    return absl::StrCat(R"({"type":"ADDED","object":{"metadata":{"name":")",
                        std::string(size - 50, 'x'), R"("}}})");
  };
  for (const size_t chunk_size : {1, 60, 10000}) {
    const std::string body = absl::StrCat(event(100), "\n", event(100), "\n", event(101));
    const Outcome outcome = Read(ContentType::kJson, body, chunk_size, {.max_event_bytes = 100});
    EXPECT_EQ(std::string(outcome.status.message()),
              "decode watch of Tap: event exceeds the limit of 100 bytes (byte 202)");
    EXPECT_EQ(outcome.events.size(), 2);
  }
  const std::string frame = Event("ADDED", Envelope(Bytes(1, Bytes(1, "a"))));
  EXPECT_TRUE(
      Read(ContentType::kProtobuf, frame, 1, {.max_event_bytes = frame.size() - 4}).status.ok());
  EXPECT_EQ(
      std::string(Read(ContentType::kProtobuf, frame, 1, {.max_event_bytes = frame.size() - 5})
                      .status.message()),
      "decode watch of Tap: event exceeds the limit of 36 bytes (byte 0)");
}

TEST(WatchReaderTest, ErrorsStay) {
  SharedDecoder decoder;
  WatchReader<Object, Status> reader(ContentType::kJson, decoder);
  const auto stop = [](Frame) { return absl::CancelledError("enough"); };
  EXPECT_EQ(reader.Append(R"({"type":"ADDED","object":{}})", stop), absl::CancelledError("enough"));
  EXPECT_EQ(reader.Append("", stop), absl::CancelledError("enough"));
}

// Drops what client-go clears in typed objects. A Status is decoded completely.
TEST(WatchReaderTest, WithoutKindAndVersion) {
  const Projection projection = *Projection::Make<Object>({.drop = {"kind", "apiVersion", "flow"}});
  const std::string body =
      R"({"type":"ADDED","object":{"kind":"Tap","apiVersion":"v1","metadata":{"name":"a"}}})"
      R"({"type":"ERROR","object":{"type":"t","message":"m"}})";
  EXPECT_THAT(
      Read(ContentType::kJson, body, 1000, {}, {.projection = &projection}).events,
      ElementsAre(
          NameEvent("ADDED", "a"),
          R"(ERROR {"type":"t","status":"","lastTransitionTime":null,"reason":"","message":"m"})"));
}

// A decoder that continued at the end of the valid UTF-8 would find values, which may be shared.
TEST(WatchReaderTest, InvalidUtf8BeforeWhatIsShared) {
  const std::string body =
      "{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"\xf3\",\"labels\":"
      "{\"a\":\"a value that is long enough to be shared\"}}}}\n";
  for (const size_t chunk_size : {1, 60, 10000}) {
    SharingStore store;
    const Outcome outcome =
        Read(ContentType::kJson, absl::StrCat(body, body, body), chunk_size, {}, {}, &store);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status;
    EXPECT_THAT(outcome.events, SizeIs(3));
    EXPECT_THAT(outcome.events, Each(HasSubstr("\"\xef\xbf\xbd\",\"labels\"")));
  }
}

// An event of a megabyte arrives in small pieces: each is scanned a few times, and not again for
// each piece that follows, which would take minutes.
TEST(WatchReaderTest, TakesTimeInProportion) {
  for (const absl::string_view start : {R"({"type":"ADDED","object":{"metadata":{"name":")",
                                        R"({"object":{"metadata":{"name":")"}) {
    const std::string name(size_t{1} << 20, 'x');
    const std::string body = absl::StrCat(start, name, R"("}},"type":"ADDED"})");
    EXPECT_EQ(Read(ContentType::kJson, body, 16).events.size(), 1);
  }
}

}  // namespace
}  // namespace kube::codec
