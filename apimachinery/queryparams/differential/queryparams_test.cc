// Options of every type as queries and back, beside Go's.
#include "apimachinery/queryparams/queryparams.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/codec/decode_json.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/queryparams/values.h"
#include "apimachinery/table/message.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube::queryparams {
namespace {

namespace corev1 = ::kube::api::core::v1;
namespace metav1 = ::kube::api::meta::v1;

using kube::table::Field;
using kube::table::Kind;
using kube::table::Message;
using kube::table::Shape;

constexpr uint64_t kSeed = 20260712;
constexpr int kObjectsPerType = 300;

class JsonMaker {
 public:
  explicit JsonMaker(uint64_t seed) : dice_(seed) {}

  std::string Object(const Message& message) {
    std::vector<std::string> members;
    for (size_t i = 0; i < message.field_count; ++i) {
      const Field& field = message.fields[i];
      if ((field.flags & kube::table::kNoJson) != 0 || dice_.Below(2) == 0) continue;
      members.push_back(
          absl::StrCat("\"", message.field_name(field), "\":", Member(message, field)));
    }
    return absl::StrCat("{", absl::StrJoin(members, ","), "}");
  }

 private:
  std::string Member(const Message& message, const Field& field) {
    if (dice_.Below(12) == 0) return "null";
    if (field.shape != Shape::kList) return Value(message, field);
    std::vector<std::string> elements;
    for (size_t n = dice_.Below(4); n > 0; --n) elements.push_back(Value(message, field));
    return absl::StrCat("[", absl::StrJoin(elements, ","), "]");
  }

  std::string Value(const Message& message, const Field& field) {
    static const std::vector<std::string> texts = {
        "",   "All",           "a=b,c in (d,e)", "x&y;z%20+ \\u00e9\\u4e16", "\\n\\t\\u0000",
        "v1", "~-_.!*'()/?@:", "Foreground"};
    static const std::vector<std::string> times = {"null", "\"2026-01-01T00:00:00Z\"",
                                                   "\"2026-01-01T00:00:00.5+02:00\"",
                                                   "\"0001-01-01T00:00:00Z\""};
    switch (field.kind) {
      case Kind::kString:
        return absl::StrCat("\"", texts[dice_.Below(texts.size())], "\"");
      case Kind::kBool:
        return dice_.Below(2) == 0 ? "true" : "false";
      case Kind::kTime:
        return times[dice_.Below(times.size())];
      case Kind::kMessage:
        return Object(*message.sub(field));
      case Kind::kInt32:
        return absl::StrCat(static_cast<int32_t>(dice_.Below(3) == 0 ? 0 : dice_.Next()));
      default:
        return absl::StrCat(static_cast<int64_t>(dice_.Below(3) == 0 ? 0 : dice_.Next()));
    }
  }

  oracle::Dice dice_;
};

class QueryParamsDifferentialTest : public testing::Test {
 protected:
  template <typename T>
  void AddEncode() {
    for (int i = 0; i < kObjectsPerType; ++i) {
      const std::string json = json_maker_.Object(T::kMessage);
      const absl::StatusOr<T> options = codec::DecodeJson<T>(json);
      ASSERT_TRUE(options.ok()) << options.status() << " " << json;
      cases_.Add(absl::StrCat("encode.", T::kMessage.type_name()), json,
                 EncodeQuery(EncodeParameters(*options)));
    }
  }

  template <typename T>
  void AddDecode(const std::vector<std::string>& queries) {
    for (const std::string& query : queries) {
      const absl::StatusOr<T> options = DecodeParameters<T>(ParseQuery(query));
      const std::string ours = options.ok() ? codec::EncodeJson(*options).value()
                                            : absl::StrCat("error: ", options.status().message());
      cases_.Add(absl::StrCat("decode.", T::kMessage.type_name()), query, ours);
    }
  }

  void Check() {
    SCOPED_TRACE(absl::StrCat("seed ", kSeed));
    cases_.Check();
  }

  JsonMaker json_maker_{kSeed};
  oracle::GoCases cases_{"queryparams_oracle"};
};

TEST_F(QueryParamsDifferentialTest, Encode) {
  AddEncode<metav1::CreateOptions>();
  AddEncode<metav1::DeleteOptions>();
  AddEncode<metav1::GetOptions>();
  AddEncode<metav1::ListOptions>();
  AddEncode<metav1::PatchOptions>();
  AddEncode<metav1::TableOptions>();
  AddEncode<metav1::UpdateOptions>();
  AddEncode<corev1::NodeProxyOptions>();
  AddEncode<corev1::PodAttachOptions>();
  AddEncode<corev1::PodExecOptions>();
  AddEncode<corev1::PodLogOptions>();
  AddEncode<corev1::PodPortForwardOptions>();
  AddEncode<corev1::PodProxyOptions>();
  AddEncode<corev1::ServiceProxyOptions>();
  Check();
}

// Of one type: the names of its members, with all kinds of values.
std::vector<std::string> Queries(oracle::Dice& dice, const Message& message) {
  static const std::vector<std::string> values = {"",
                                                  "0",
                                                  "1",
                                                  "-1",
                                                  "+7",
                                                  "true",
                                                  "FALSE",
                                                  "False",
                                                  "null",
                                                  "abc",
                                                  "1e3",
                                                  "0x10",
                                                  "%31",
                                                  "a+b",
                                                  "a%2Cb",
                                                  "9223372036854775807",
                                                  "007",
                                                  "1_000",
                                                  " 1",
                                                  "%zz",
                                                  "%E4%B8%96",
                                                  "9223372036854775808",
                                                  "-9223372036854775809"};
  std::vector<std::string> queries;
  for (int i = 0; i < kObjectsPerType; ++i) {
    std::vector<std::string> pairs;
    for (size_t n = dice.Below(6); n > 0; --n) {
      const Field& field = message.fields[dice.Below(message.field_count)];
      std::string name(message.field_name(field));
      if (field.kind == Kind::kMessage) name = dice.Below(2) == 0 ? "uid" : "resourceVersion";
      pairs.push_back(
          dice.Below(10) == 0 ? name : absl::StrCat(name, "=", values[dice.Below(values.size())]));
    }
    queries.push_back(absl::StrJoin(pairs, dice.Below(20) == 0 ? ";" : "&"));
  }
  return queries;
}

TEST_F(QueryParamsDifferentialTest, Decode) {
  oracle::Dice dice(kSeed);
  AddDecode<metav1::CreateOptions>(Queries(dice, metav1::CreateOptions::kMessage));
  AddDecode<metav1::DeleteOptions>(Queries(dice, metav1::DeleteOptions::kMessage));
  AddDecode<metav1::GetOptions>(Queries(dice, metav1::GetOptions::kMessage));
  AddDecode<metav1::ListOptions>(Queries(dice, metav1::ListOptions::kMessage));
  AddDecode<metav1::PatchOptions>(Queries(dice, metav1::PatchOptions::kMessage));
  AddDecode<metav1::TableOptions>(Queries(dice, metav1::TableOptions::kMessage));
  AddDecode<metav1::UpdateOptions>(Queries(dice, metav1::UpdateOptions::kMessage));
  Check();
}

TEST_F(QueryParamsDifferentialTest, Queries) {
  oracle::TextMaker maker(
      kSeed, {"labelSelector=app%3Dweb&limit=500", "a=1&b=2&a=3", "x=%41%c3%A9+z", ""},
      {"&", "=", "%", "%4", "%zz", "+", ";", "a", "%26", "\xff", "a=b", "\x01", "&&", "%00"});
  for (const std::string& query : maker.Make(3000)) {
    cases_.Add("query", query, EncodeQuery(ParseQuery(query)));
  }
  Check();
}

}  // namespace
}  // namespace kube::queryparams
