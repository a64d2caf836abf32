// Compares with Go on the kitchen sink's objects: JSON and protobuf must be equal byte for byte.

#include <cstddef>
#include <iterator>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/codec/decode.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/codec/encode_protobuf.h"
#include "apimachinery/codec/stream/padded_buffer.h"
#include "apimachinery/codec/testing/sample_object.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/cases.h"
#include "tests/kitchen_sink/kitchen_messages.h"
#include "tests/kitchen_sink/kitchen_oracle.h"
#include "tests/oracle/oracle.h"

namespace kube::codec::internal {
namespace {

using oracle::KitchenCase;
using oracle::KitchenCases;
using oracle::KitchenOracle;

std::string Json(const SampleObject& object, const EncodeJsonOptions& options = {}) {
  std::string json;
  const absl::Status status = AppendJson(json, object.get(), object.message(), options);
  return status.ok() ? json : status.ToString();
}

std::string Protobuf(const SampleObject& object) {
  std::string bytes;
  const absl::Status status = AppendProtobuf(bytes, object.get(), object.message());
  return status.ok() ? bytes : status.ToString();
}

absl::Status Decode(SampleObject& object, codec::Encoding encoding, absl::string_view bytes) {
  const PaddedBuffer buffer(bytes);
  return codec::DecodeInto(object.get(), object.message(), encoding, buffer.view(),
                           DecodeOptions{});
}

// Needs no Go, because the cases have its answers. Texts that decoders refuse are left out.
TEST(EncodeKitchen, JsonOfTheCases) {
  int compared = 0;
  for (const KitchenCase& row : KitchenCases()) {
    SCOPED_TRACE(std::string(row.name));
    if (row.want.empty()) continue;
    SampleObject object(*oracle::KitchenMessage(row.type));
    if (!Decode(object, codec::Encoding::kJson, row.json).ok()) continue;
    EXPECT_EQ(Json(object), std::string(row.want));
    ++compared;
  }
  EXPECT_GT(compared, 300);
}

TEST(EncodeKitchen, OtherFormsOfTheCases) {
  // The deep ones of these have megabytes of white space.
  constexpr size_t kMaxPretty = 5'000;
  struct Question {
    const KitchenCase* row;
    size_t pretty;
    size_t protobuf;
  };
  KitchenOracle go;
  const std::vector<KitchenCase> cases = KitchenCases();
  std::vector<Question> questions;
  for (const KitchenCase& row : cases) {
    if (row.want.empty() || row.want.size() > kMaxPretty) continue;
    const std::vector<std::string> inputs = {std::string(row.want.data(), row.want.size())};
    questions.push_back({&row, go.Ask("json_to_pretty_json", row.type, inputs),
                         go.Ask("json_to_pb", row.type, inputs)});
  }
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  for (const Question& question : questions) {
    SCOPED_TRACE(std::string(question.row->name));
    SampleObject object(*oracle::KitchenMessage(question.row->type));
    ASSERT_TRUE(Decode(object, codec::Encoding::kJson, question.row->want).ok());
    EXPECT_EQ(Json(object, {.indent = "  "}), go.Output(question.pretty));
    EXPECT_EQ(absl::BytesToHexString(Protobuf(object)),
              absl::BytesToHexString(go.Output(question.protobuf)));
  }
}

// Go's random objects, decoded from JSON and from protobuf, and encoded as both.
TEST(EncodeKitchen, RandomObjectsOfGo) {
  constexpr int kSeed = 4711;
  constexpr int kObjects = 60;
  KitchenOracle go;
  std::vector<size_t> randoms;
  for (const auto& [type, message] : oracle::KitchenTypes()) {
    randoms.push_back(go.Ask("random", type, {absl::StrCat(kSeed), absl::StrCat(kObjects)}));
  }
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  struct Question {
    absl::string_view type;
    codec::Encoding encoding;
    std::string input;
    size_t json;
    size_t protobuf;
  };
  std::vector<Question> questions;
  for (size_t t = 0; t < oracle::KitchenTypes().size(); ++t) {
    ASSERT_TRUE(go[randoms[t]].ok()) << oracle::KitchenTypes()[t].name << go[randoms[t]].status();
    const std::vector<std::string> objects = *go[randoms[t]];
    ASSERT_EQ(objects.size(), 2 * kObjects);
    for (size_t i = 0; i < objects.size(); ++i) {
      const bool json = i % 2 == 0;
      questions.push_back(
          {oracle::KitchenTypes()[t].name,
           json ? codec::Encoding::kJson : codec::Encoding::kProtobuf, objects[i],
           go.Ask(json ? "json_to_json" : "pb_to_json", oracle::KitchenTypes()[t].name,
                  {objects[i]}),
           go.Ask(json ? "json_to_pb" : "pb_to_pb", oracle::KitchenTypes()[t].name, {objects[i]})});
    }
  }
  ASSERT_TRUE(go.Run().ok());
  for (const Question& question : questions) {
    SCOPED_TRACE(absl::StrCat(question.type, " ", absl::CHexEscape(question.input)));
    SampleObject object(*oracle::KitchenMessage(question.type));
    ASSERT_TRUE(Decode(object, question.encoding, question.input).ok());
    ASSERT_EQ(Json(object), go.Output(question.json));
    ASSERT_EQ(absl::BytesToHexString(Protobuf(object)),
              absl::BytesToHexString(go.Output(question.protobuf)));
  }
}

TEST(EncodeKitchen, EnvelopesOfKinds) {
  KitchenOracle go;
  const std::string json =
      R"({"kind":"Sink","apiVersion":"kitchen.example.com/v1","metadata":{"name":"a"}})";
  const size_t envelope = go.Ask("json_to_envelope", "Sink", {json});
  const absl::Status ran = go.Run();
  if (oracle::PrintSkipped(ran)) GTEST_SKIP();
  ASSERT_TRUE(ran.ok()) << ran;
  SampleObject object(*oracle::KitchenMessage("Sink"));
  ASSERT_TRUE(Decode(object, codec::Encoding::kJson, json).ok());
  std::string bytes;
  ASSERT_TRUE(AppendKubernetesProtobuf(bytes, object.get(), object.message(),
                                       {.api_version = "kitchen.example.com/v1", .kind = "Sink"})
                  .ok());
  EXPECT_EQ(absl::BytesToHexString(bytes), absl::BytesToHexString(go.Output(envelope)));
}

}  // namespace
}  // namespace kube::codec::internal
