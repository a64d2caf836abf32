// Lists and watches as the API server writes them must be read as client-go reads them.
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/projection.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "apimachinery/codec/stream/watch_reader.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::codec {
namespace {

namespace corev1 = api::core::v1;
namespace metav1 = api::meta::v1;
using Frame = WatchFrame<corev1::Pod, metav1::Status>;

class StreamOracleTest : public testing::Test {
 protected:
  void SetUp() override {
    const absl::StatusOr<std::string> program = oracle::FindData("oracles", "stream_oracle");
    if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
    ASSERT_TRUE(program.ok()) << program.status();
    program_ = *program;
    const absl::StatusOr<std::string> output = oracle::RunProgram(program_, {.args = {"write"}});
    ASSERT_TRUE(output.ok()) << output.status();
    for (const absl::string_view line : absl::StrSplit(*output, '\n', absl::SkipEmpty())) {
      const std::pair<std::string, std::string> named = absl::StrSplit(line, ' ');
      ASSERT_TRUE(absl::Base64Unescape(named.second, &written_[named.first]));
    }
  }

  // The text that client-go reads from each stream.
  std::vector<std::string> ReadByGo(absl::string_view format,
                                    const std::vector<std::string>& streams) {
    std::string input;
    for (const std::string& stream : streams) {
      absl::StrAppend(&input, absl::Base64Escape(stream), "\n");
    }
    const absl::StatusOr<std::string> output =
        oracle::RunProgram(program_, {.args = {"watch", std::string(format)}, .input = input});
    EXPECT_TRUE(output.ok()) << output.status();
    std::vector<std::string> texts;
    if (!output.ok()) return texts;
    for (const absl::string_view line : absl::StrSplit(*output, '\n')) {
      EXPECT_TRUE(absl::Base64Unescape(line, &texts.emplace_back()));
    }
    texts.pop_back();
    return texts;
  }

  std::string program_;
  std::map<std::string, std::string> written_;
};

ContentType ContentTypeOf(absl::string_view format) {
  return format == "json" ? ContentType::kJson : ContentType::kProtobuf;
}

TEST_F(StreamOracleTest, Lists) {
  for (const std::string format : {"json", "protobuf"}) {
    const std::string& body = written_["list." + format];
    for (const size_t chunk : {size_t{1}, size_t{100}, body.size()}) {
      SharingStore store;
      SharedDecoder decoder({}, &store);
      ListReader<corev1::PodList, corev1::Pod> reader(ContentTypeOf(format), decoder);
      std::string items;
      for (size_t at = 0; at < body.size(); at += chunk) {
        const absl::Status status =
            reader.Append(body.substr(at, chunk), [&](std::shared_ptr<const corev1::Pod> pod) {
              absl::StrAppend(&items, *EncodeJson(*pod), "\n");
              return absl::OkStatus();
            });
        ASSERT_TRUE(status.ok()) << status;
      }
      EXPECT_EQ(items, written_["items"]) << format;
      const absl::StatusOr<corev1::PodList> list = reader.Finish();
      ASSERT_TRUE(list.ok()) << list.status();
      EXPECT_EQ(list->kind, "PodList");
      EXPECT_EQ(list->api_version, "v1");
      EXPECT_EQ(list->metadata.resource_version, "98765");
      EXPECT_EQ(list->metadata.continue_, "a token");
      EXPECT_EQ(list->metadata.remaining_item_count, 5);
    }
    SharedDecoder decoder;
    ListReader<corev1::PodList, corev1::Pod> reader(ContentTypeOf(format), decoder);
    const auto none = [](std::shared_ptr<const corev1::Pod>) { return absl::InternalError(""); };
    EXPECT_TRUE(reader.Append(written_["empty." + format], none).ok());
    EXPECT_TRUE(reader.Finish().ok()) << format;
  }
}

// Returns the text in the form of StreamOracle.
std::string ReadWatch(absl::string_view format, absl::string_view stream, size_t chunk) {
  // client-go clears both.
  const Projection projection = *Projection::Make<corev1::Pod>({.drop = {"kind", "apiVersion"}});
  SharedDecoder decoder({.projection = &projection});
  WatchReader<corev1::Pod, metav1::Status> reader(ContentTypeOf(format), decoder);
  std::string text;
  for (size_t at = 0; at < stream.size(); at += chunk) {
    const absl::Status status = reader.Append(stream.substr(at, chunk), [&](Frame frame) {
      std::string json;
      if (frame.status != nullptr) {
        metav1::Status cleared = *frame.status;
        cleared.kind = {};
        cleared.api_version = {};
        json = *EncodeJson(cleared);
      } else {
        json = *EncodeJson(*frame.object);
      }
      absl::StrAppend(&text, frame.type, " ", json, "\n");
      return absl::OkStatus();
    });
    if (!status.ok()) return text + "error\n";
  }
  return reader.IsBetweenEvents() ? text : text + "error\n";
}

// behaviour.md: COD-3
TEST_F(StreamOracleTest, Watches) {
  for (const std::string format : {"json", "protobuf"}) {
    const std::string& stream = written_["watch." + format];
    for (const size_t chunk : {size_t{1}, size_t{100}, stream.size()}) {
      EXPECT_EQ(ReadWatch(format, stream, chunk), written_["events"]) << format;
    }
  }
}

// behaviour.md: COD-3
TEST_F(StreamOracleTest, JsonStreams) {
  const std::vector<std::string> streams = {
      "",
      "\n\n",
      written_["watch.json"],
      written_["watch.json"] + "\n" + written_["watch.json"],
      written_["watch.json"] + R"({"type":"ADDED")",
      R"({"object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":"a"}},"type":"ADDED"})",
      R"( { "type" : "ADDED" , "object" : {"kind":"Pod","apiVersion":"v1"} , "x":[1,{}]} )",
      R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1","metadata":{"name":1}}})",
      R"({"type":"ADDED"})",
      R"({"type":"ADDED","object":null})",
      R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1"},"object":{"kind":"Pod","apiVersion":"v1","spec":{}}})",
      R"([])",
      R"({"type":"ADDED","object":{"kind":"Pod","apiVersion":"v1"}]})",
      "{\"type\":\"ADDED\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{"
      "\"name\":\"\xff\"}}}",
  };
  const std::vector<std::string> want = ReadByGo("json", streams);
  ASSERT_EQ(want.size(), streams.size());
  for (size_t i = 0; i < streams.size(); ++i) {
    EXPECT_EQ(ReadWatch("json", streams[i], 1), want[i]) << streams[i];
    EXPECT_EQ(ReadWatch("json", streams[i], streams[i].size() + 1), want[i]) << streams[i];
  }
}

// Cuts every stream at each position.
TEST_F(StreamOracleTest, BrokenProtobufStreams) {
  const std::string whole = written_["watch.protobuf"].substr(0, 310);
  std::vector<std::string> streams;
  for (size_t size = 0; size <= whole.size(); ++size) streams.push_back(whole.substr(0, size));
  const std::vector<std::string> want = ReadByGo("protobuf", streams);
  ASSERT_EQ(want.size(), streams.size());
  for (size_t i = 0; i < streams.size(); ++i) {
    // Go accepts a stream that ends after a length. Here this is an error, because an event is
    // lost.
    if (streams[i].size() == 4) {
      EXPECT_EQ(want[i], "");
      EXPECT_EQ(ReadWatch("protobuf", streams[i], 7), "error\n");
      continue;
    }
    EXPECT_EQ(ReadWatch("protobuf", streams[i], 7), want[i]) << i;
  }
}

}  // namespace
}  // namespace kube::codec
