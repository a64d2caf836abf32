#include "apimachinery/unstructured/unstructured_list.h"

#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/hash/hash.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/content_type.h"
#include "apimachinery/codec/deep_size.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/sharing/shared_decoder.h"
#include "apimachinery/codec/sharing/sharing_store.h"
#include "apimachinery/codec/stream/list_reader.h"
#include "apimachinery/codec/stream/watch_reader.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"

namespace kube::unstructured {
namespace {

namespace metav1 = ::kube::api::meta::v1;

constexpr absl::string_view kFirst =
    R"({"kind":"Cert","metadata":{"name":"a","labels":{"app.kubernetes.io/name":"a long value"}},)"
    R"("spec":{"hosts":["first.example.com","x"],"n":1.5,"none":null}})";
constexpr absl::string_view kSecond =
    R"({"kind":"Cert","metadata":{"name":"b","labels":{"app.kubernetes.io/name":"a long value"}},)"
    R"("spec":{"hosts":["first.example.com","x"],"n":2,"empty":""}})";

std::string ListText() {
  return std::string(
             R"({"kind":"CertList","other":1,"metadata":{"resourceVersion":"7"},"items":[)") +
         std::string(kFirst) + ",\n" + std::string(kSecond) + "]}";
}

TEST(UnstructuredListTest, ListReader_ByteByByte_ReturnsEachObjectInOneBlock) {
  codec::SharingStore store;
  codec::SharedDecoder decoder({}, &store);
  std::vector<std::shared_ptr<const Unstructured>> items;
  for (int round = 0; round < 4; ++round) {
    codec::ListReader<UnstructuredList, Unstructured> reader(codec::ContentType::kJson, decoder);
    for (const char c : ListText()) {
      ASSERT_TRUE(reader
                      .Append({&c, 1},
                              [&](std::shared_ptr<const Unstructured> item) {
                                items.push_back(std::move(item));
                                return absl::OkStatus();
                              })
                      .ok());
    }
    const absl::StatusOr<UnstructuredList> list = reader.Finish();
    ASSERT_TRUE(list.ok()) << list.status();
    EXPECT_EQ(list->resource_version(), "7");
    EXPECT_EQ(list->continue_(), "");
    EXPECT_EQ(list->kind, "CertList");
  }
  ASSERT_EQ(items.size(), 8);
  for (size_t i = 0; i < items.size(); ++i) {
    const absl::string_view text = i % 2 == 0 ? kFirst : kSecond;
    const codec::ObjectSize size = codec::DeepSize(*items[i]);
    EXPECT_EQ(size.owned, 0) << "one block";
    const Unstructured copy = *items[i];
    EXPECT_EQ(copy, *items[i]);
    EXPECT_EQ(copy, *items[i % 2]);
    EXPECT_EQ(codec::EncodeJson(copy).value().size(), text.size());
  }
}

TEST(UnstructuredListTest, WatchReader_Events_HaveUnstructuredObjects) {
  codec::SharedDecoder decoder;
  codec::WatchReader<Unstructured, metav1::Status> reader(codec::ContentType::kJson, decoder);
  std::vector<codec::WatchFrame<Unstructured, metav1::Status>> events;
  const std::string body = R"({"type":"ADDED","object":)" + std::string(kFirst) +
                           R"(}{"type":"ERROR","object":{"kind":"Status","code":410}})";
  ASSERT_TRUE(reader
                  .Append(body,
                          [&](codec::WatchFrame<Unstructured, metav1::Status> event) {
                            events.push_back(std::move(event));
                            return absl::OkStatus();
                          })
                  .ok());
  ASSERT_EQ(events.size(), 2);
  EXPECT_EQ(events[0].object->name(), "a");
  EXPECT_EQ(events[1].object, nullptr);
  EXPECT_EQ(events[1].status->code, 410);
}

TEST(UnstructuredListTest, Encode_List_WritesOnlyFieldsThatAreSet) {
  EXPECT_EQ(codec::EncodeJson(UnstructuredList()).value(), R"({"items":[]})");
  const UnstructuredList list = {.api_version = "v1",
                                 .items = {{{{"kind", "A"}}}},
                                 .kind = "List",
                                 .metadata = Map<Value>::Empty()};
  EXPECT_EQ(codec::EncodeJson(list).value(),
            R"({"apiVersion":"v1","items":[{"kind":"A"}],"kind":"List","metadata":{}})");
  EXPECT_EQ(absl::HashOf(list), absl::HashOf(UnstructuredList(list)));
  EXPECT_FALSE(list == UnstructuredList());
  std::ostringstream out;
  out << list;
  EXPECT_EQ(out.str(),
            "{apiVersion: \"v1\", items: [{object: {kind: \"A\"}}], kind: \"List\", metadata: {}}");
}

}  // namespace
}  // namespace kube::unstructured
