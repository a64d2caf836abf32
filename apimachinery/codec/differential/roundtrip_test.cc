// Random objects of every kind, created and encoded by Go: their JSON and protobuf are decoded here
// and encoded again, which must give Go's bytes, and both must give the same object.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/decode_options.h"
#include "apimachinery/types/kind_info.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube {
namespace {

using codec::AnyObject;

// For each run of the Go program, whose output is held in memory.
constexpr int64_t kObjectsARun = 50;

int64_t Setting(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  int64_t value = 0;
  return text != nullptr && absl::SimpleAtoi(text, &value) ? value : otherwise;
}

std::string NameOf(const KindInfo& kind) {
  return absl::StrCat(kind.group, kind.group.empty() ? "" : "/", kind.version, " ", kind.kind);
}

// Removes a part from the front: a size in four bytes, and the bytes.
absl::string_view TakePart(absl::string_view& stream) {
  size_t size = 0;
  for (size_t i = 0; i < 4; ++i) size = size << 8 | static_cast<unsigned char>(stream.at(i));
  const absl::string_view part = stream.substr(4, size);
  stream.remove_prefix(4 + size);
  return part;
}

// Returns where the two begin to differ.
bool IsSame(const absl::StatusOr<std::string>& ours, absl::string_view go) {
  if (!ours.ok()) {
    ADD_FAILURE() << ours.status();
    return false;
  }
  if (*ours == go) return true;
  const size_t same = static_cast<size_t>(
      std::mismatch(ours->begin(), ours->end(), go.begin(), go.end()).first - ours->begin());
  const size_t from = same < 80 ? 0 : same - 80;
  ADD_FAILURE() << "from byte " << from
                << ":\n  ours: " << absl::CHexEscape(ours->substr(from, 200))
                << "\n  Go:   " << absl::CHexEscape(go.substr(from, 200));
  return false;
}

// Returns false after a failure: one failure of a kind is enough.
bool TestObject(const KindInfo& kind, absl::string_view& stream, bool& has_protobuf) {
  const absl::string_view json = TakePart(stream), json_again = TakePart(stream);
  const absl::string_view protobuf = TakePart(stream), protobuf_again = TakePart(stream);
  has_protobuf = !protobuf.empty();
  const absl::StatusOr<AnyObject> of_json =
      AnyObject::DecodeJson(kind, json, {.field_validation = codec::FieldValidation::kStrict});
  if (!of_json.ok()) {
    ADD_FAILURE() << of_json.status();
    return false;
  }
  if (!IsSame(of_json->EncodeJson({.final_newline = true}), json_again)) return false;
  if (protobuf.empty()) return true;
  const absl::StatusOr<AnyObject> of_protobuf = AnyObject::DecodeProtobuf(kind, protobuf);
  if (!of_protobuf.ok()) {
    ADD_FAILURE() << of_protobuf.status();
    return false;
  }
  if (!IsSame(of_protobuf->EncodeProtobuf(), protobuf_again)) return false;
  // Compared with the object and not with the JSON, because the wire does not distinguish null from
  // empty.
  EXPECT_TRUE(*of_json == *of_protobuf) << json;
  return *of_json == *of_protobuf;
}

TEST(Roundtrip, RandomObjectsOfEveryKind) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "random_objects");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();
  const int64_t objects = Setting("ROUNDTRIP_OBJECTS", 3);
  const int64_t first_seed = Setting("ROUNDTRIP_SEED", 1);
  size_t kinds = 0, tested = 0, bytes = 0;
  std::set<std::string> without_protobuf;
  for (const KindInfo* kind : api::AllKinds()) {
    ++kinds;
    bool is_fine = true;
    for (int64_t done = 0; is_fine && done < objects; done += kObjectsARun) {
      const int64_t seed = first_seed + done;
      const int64_t count = std::min(kObjectsARun, objects - done);
      SCOPED_TRACE(absl::StrCat(NameOf(*kind), ", seed ", seed));
      const absl::StatusOr<std::string> made =
          oracle::RunProgram(*program, {.args = {absl::StrCat(seed), absl::StrCat(count)},
                                        .input = absl::StrCat(NameOf(*kind), "\n"),
                                        .timeout = absl::Minutes(10)});
      ASSERT_TRUE(made.ok()) << made.status();
      bytes += made->size();
      absl::string_view stream = *made;
      for (int64_t i = 0; is_fine && i < count; ++i) {
        bool has_protobuf = false;
        is_fine = TestObject(*kind, stream, has_protobuf);
        if (!has_protobuf) without_protobuf.insert(NameOf(*kind));
        ++tested;
      }
    }
  }
  EXPECT_GT(kinds, 300u);
  std::cout << kinds << " kinds, " << tested << " objects, " << bytes << " bytes, first seed "
            << first_seed << "\n";
  EXPECT_EQ(without_protobuf,
            (std::set<std::string>{"v1 Config", "client.authentication.k8s.io/v1 ExecCredential",
                                   "client.authentication.k8s.io/v1beta1 ExecCredential",
                                   "meta.k8s.io/v1 Table"}));
}

}  // namespace
}  // namespace kube
