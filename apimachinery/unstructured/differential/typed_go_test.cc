// Random objects of every kind, created by Go, are converted from typed to unstructured and back,
// as Go's DefaultUnstructuredConverter does.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/table/message.h"
#include "apimachinery/table/ops.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::unstructured {
namespace {

// The number of objects of each kind, and the seed that determines them.
constexpr int kObjects = 3;
constexpr int kSeed = 11;

std::string GroupVersion(const KindInfo& kind) {
  return absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version);
}

absl::string_view TakePart(absl::string_view& stream) {
  size_t size = 0;
  for (size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(stream.at(i));
  const absl::string_view part = stream.substr(4, size);
  stream.remove_prefix(4 + size);
  return part;
}

// A struct of a type known at run time.
class Typed {
 public:
  explicit Typed(const kube::table::Message& message)
      : message_(message), memory_(std::make_unique<char[]>(message.size)) {}
  Typed(const Typed&) = delete;
  Typed& operator=(const Typed&) = delete;
  ~Typed() {
    kube::table::DestroyValue(memory_.get(),
                              {kube::table::Kind::kMessage, message_.size, &message_});
  }
  char* get() const { return memory_.get(); }

 private:
  const kube::table::Message& message_;
  const std::unique_ptr<char[]> memory_;
};

// "TO BACK": the unstructured object as JSON, and the typed object that is made from it.
absl::StatusOr<std::string> Convert(const KindInfo& kind, absl::string_view json) {
  const kube::table::Message& message = *kind.message;
  const absl::StatusOr<Value> given = ParseJson(json);
  if (!given.ok()) return given.status();
  const Typed typed(message);
  const absl::Status status = FromValue(*given, typed.get(), message, {});
  if (!status.ok()) return status;
  const absl::StatusOr<Value> value = ToValue(typed.get(), message);
  if (!value.ok()) return value.status();
  const Typed again(message);
  const absl::Status back = FromValue(*value, again.get(), message, {});
  if (!back.ok()) return back;
  std::string text;
  const absl::Status encoded = codec::AppendJson(text, again.get(), message);
  if (!encoded.ok()) return encoded;
  return absl::StrCat(absl::BytesToHexString(EncodeJson(*value).value()), " ",
                      absl::BytesToHexString(text));
}

TEST(TypedGoTest, Convert_RandomObjectsOfEveryKind_AgreesWithGo) {
  const absl::StatusOr<std::string> maker = oracle::FindData("oracles", "random_objects");
  const absl::StatusOr<std::string> judge = oracle::FindData("oracles", "unstructured_oracle");
  if (oracle::PrintSkipped(maker.status())) GTEST_SKIP();
  ASSERT_TRUE(maker.ok() && judge.ok()) << maker.status() << judge.status();
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  std::string lines;
  for (const KindInfo* kind : api::AllKinds()) {
    absl::StrAppend(&lines, GroupVersion(*kind), " ", kind->kind, "\n");
  }
  const absl::StatusOr<std::string> made = oracle::RunProgram(
      *maker, {.args = {absl::StrCat(kSeed), absl::StrCat(kObjects)}, .input = lines});
  ASSERT_TRUE(made.ok()) << made.status();
  std::string questions;
  std::vector<std::string> ours;
  absl::string_view stream = *made;
  for (const KindInfo* kind : api::AllKinds()) {
    for (int i = 0; i < kObjects; ++i) {
      const absl::string_view json = TakePart(stream);
      for (int other = 0; other < 3; ++other) TakePart(stream);
      const absl::StatusOr<std::string> converted = Convert(*kind, json);
      ours.push_back(converted.ok() ? *converted : std::string(converted.status().message()));
      constexpr absl::string_view kZero("\0", 1);
      const std::string text = absl::StrCat(GroupVersion(*kind), kZero, kind->kind, kZero, json);
      absl::StrAppend(&questions, "typed\t", absl::BytesToHexString(text), "\n");
    }
  }
  const absl::StatusOr<std::string> output = oracle::RunProgram(*judge, {.input = questions});
  ASSERT_TRUE(output.ok()) << output.status();
  const std::vector<std::string> answers = absl::StrSplit(*output, '\n');
  ASSERT_EQ(answers.size(), ours.size() + 1);
  size_t known = 0;
  size_t failures = 0;
  for (size_t i = 0; i < ours.size() && failures < 5; ++i) {
    if (answers[i] == "unknown") continue;
    ++known;
    if (answers[i] == ours[i]) continue;
    ++failures;
    const std::vector<std::string> theirs = absl::StrSplit(answers[i], ' ');
    ADD_FAILURE() << (*api::AllKinds()[i / kObjects]).kind << "\n  ours: " << ours[i].substr(0, 400)
                  << "\n  Go:   " << answers[i].substr(0, 400);
  }
  EXPECT_GT(known, 700u);
}

}  // namespace
}  // namespace kube::unstructured
