// Compares with Go on random objects of every kind: patches must be equal byte for byte, and so
// must be the patched objects; hostile patches must be refused if Go refuses them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/all_kinds.h"
#include "apimachinery/base/status.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/preconditions.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::patch {
namespace {

using unstructured::EncodeJson;
using unstructured::ParseJson;
using unstructured::Value;

// For each run of the programs, whose output is held in memory.
constexpr size_t kKindsARun = 48;
constexpr int64_t kObjectsAKind = 4;

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

std::string SizeOf(absl::string_view part) {
  std::string size;
  for (int shift = 24; shift >= 0; shift -= 8) size += static_cast<char>(part.size() >> shift);
  return size;
}

absl::StatusOr<std::string> Encode(const absl::StatusOr<Value>& value) {
  KUBE_RETURN_IF_ERROR(value.status());
  return EncodeJson(*value);
}

// Returns the value with doubles instead of integers, because upstream makes merge patches of
// float64s.
Value Rounded(Value value) {
  if (value.is_int()) return static_cast<double>(*value.integer());
  if (List<Value>* list = value.list(); list != nullptr) {
    for (Value& element : *list) element = Rounded(std::move(element));
  } else if (Map<Value>* object = value.object(); object != nullptr) {
    for (auto& [key, member] : *object) member = Rounded(std::move(member));
  }
  return value;
}

// The texts of a case, in the order in which the program writes them.
struct Case {
  absl::string_view original, modified, current;
  absl::string_view two_way, two_way_applied;
  absl::string_view three_way, three_way_applied, three_way_careful;
  absl::string_view merge, merge_applied, merge_three_way;
  absl::string_view hostile, hostile_applied, hostile_merged;
  absl::string_view json, json_applied;
};

Case TakeCase(absl::string_view& stream) {
  Case c;
  for (absl::string_view* part :
       {&c.original, &c.modified, &c.current, &c.two_way, &c.two_way_applied, &c.three_way,
        &c.three_way_applied, &c.three_way_careful, &c.merge, &c.merge_applied, &c.merge_three_way,
        &c.hostile, &c.hostile_applied, &c.hostile_merged, &c.json, &c.json_applied}) {
    *part = TakePart(stream);
  }
  return c;
}

// Compares the answers of a case, and counts them.
class Judge {
 public:
  // `go` is "k" and the result, or another letter and the reason for the error.
  bool Same(absl::string_view what, const absl::StatusOr<std::string>& ours, absl::string_view go) {
    const bool go_accepts = go.front() == 'k';
    const absl::string_view expected = go.substr(1);
    ++counts_[absl::StrCat(what, go_accepts ? " accepted" : " refused")];
    if (ours.ok() != go_accepts) {
      ADD_FAILURE() << what << ":\n  ours: " << (ours.ok() ? *ours : ours.status().ToString())
                    << "\n  Go:   " << absl::CHexEscape(go);
      return false;
    }
    if (!go_accepts || *ours == expected) return true;
    // JSON patches keep numbers and strings as they were written.
    const absl::StatusOr<std::string> canonical = Encode(ParseJson(expected));
    if (canonical.ok() && *canonical == *ours) return true;
    ADD_FAILURE() << what << ":\n  ours: " << absl::CHexEscape(*ours)
                  << "\n  Go:   " << absl::CHexEscape(expected);
    return false;
  }

  // Does the same for merge patches.
  bool SameRounded(absl::string_view what, absl::StatusOr<Value> ours, absl::string_view go) {
    if (ours.ok()) ours = Rounded(*std::move(ours));
    absl::StatusOr<Value> expected = ParseJson(go.substr(1));
    if (go.front() != 'k' || !expected.ok()) return Same(what, Encode(ours), go);
    return Same(what, Encode(ours), absl::StrCat("k", *Encode(Rounded(*std::move(expected)))));
  }

  const std::map<std::string, size_t>& counts() const { return counts_; }

 private:
  std::map<std::string, size_t> counts_;
};

absl::StatusOr<std::string> ApplyStrategic(absl::string_view object, absl::string_view patch,
                                           const KindInfo& kind) {
  KUBE_ASSIGN_OR_RETURN(Value parsed, ParseJson(object));
  KUBE_ASSIGN_OR_RETURN(Value change, ParseJson(patch));
  return Encode(ApplyStrategicMergePatch(std::move(parsed), std::move(change), kind));
}

absl::StatusOr<std::string> ApplyMerge(absl::string_view object, absl::string_view patch) {
  KUBE_ASSIGN_OR_RETURN(Value parsed, ParseJson(object));
  KUBE_ASSIGN_OR_RETURN(Value change, ParseJson(patch));
  return Encode(ApplyMergePatch(std::move(parsed), std::move(change)));
}

absl::StatusOr<std::string> ApplyJson(absl::string_view object, absl::string_view patch) {
  KUBE_ASSIGN_OR_RETURN(Value parsed, ParseJson(object));
  KUBE_ASSIGN_OR_RETURN(const JsonPatch operations, ParseJsonPatch(patch));
  return Encode(ApplyJsonPatch(std::move(parsed), operations));
}

bool TestStrategic(const KindInfo& kind, const Case& c, Judge& judge) {
  const Value original = *ParseJson(c.original), modified = *ParseJson(c.modified),
              current = *ParseJson(c.current);
  bool same =
      judge.Same("two-way", Encode(MakeStrategicMergePatch(original, modified, kind)), c.two_way);
  if (c.two_way.front() == 'k') {
    same &= judge.Same("two-way applied", ApplyStrategic(c.original, c.two_way.substr(1), kind),
                       c.two_way_applied);
  }
  same &= judge.Same("three-way",
                     Encode(MakeThreeWayStrategicMergePatch(original, modified, current, kind)),
                     c.three_way);
  if (c.three_way.front() == 'k') {
    same &= judge.Same("three-way applied", ApplyStrategic(c.current, c.three_way.substr(1), kind),
                       c.three_way_applied);
  }
  const absl::StatusOr<Value> careful =
      MakeThreeWayStrategicMergePatch(original, modified, current, kind, {.overwrite = false});
  // If there is no conflict, the patches are equal, except that upstream sorts lists in it.
  same &= judge.Same("three-way careful", Encode(careful),
                     c.three_way_careful.front() == 'k' ? c.three_way : c.three_way_careful);
  // If one member conflicts and another one is an error, the random order of a Go map decides which
  // of the two upstream reports.
  if (c.three_way_careful.front() == 'c' && !absl::IsInvalidArgument(careful.status())) {
    EXPECT_TRUE(IsConflict(careful.status())) << careful.status();
    same &= IsConflict(careful.status());
  }
  return same;
}

bool TestOthers(const KindInfo& kind, const Case& c, Judge& judge) {
  const Value original = *ParseJson(c.original), modified = *ParseJson(c.modified),
              current = *ParseJson(c.current);
  bool same = judge.SameRounded("merge", MakeMergePatch(original, modified), c.merge);
  same &= judge.Same("merge applied", ApplyMerge(c.current, c.merge.substr(1)), c.merge_applied);
  same &= judge.SameRounded("merge three-way", MakeThreeWayMergePatch(original, modified, current),
                            c.merge_three_way);
  same &= judge.Same("hostile strategic", ApplyStrategic(c.current, c.hostile, kind),
                     c.hostile_applied);
  same &= judge.Same("hostile merge", ApplyMerge(c.current, c.hostile), c.hostile_merged);
  // Go panics if a test compares lists that contain nulls.
  if (c.json_applied.front() != 'p') {
    same &= judge.Same("JSON patch", ApplyJson(c.current, c.json), c.json_applied);
  }
  // The patches are made in another way than in Go, so their results are compared.
  const absl::StatusOr<JsonPatch> made = MakeJsonPatch(original, modified);
  EXPECT_TRUE(made.ok()) << made.status();
  const absl::StatusOr<std::string> text = EncodeJsonPatch(*made);
  EXPECT_TRUE(text.ok()) << text.status();
  same &=
      judge.Same("JSON patch made", ApplyJson(c.original, *text), absl::StrCat("k", c.modified));
  return same;
}

// The input of patch_oracle for these kinds: objects of random_objects.
absl::StatusOr<std::string> MakeInput(const std::string& program,
                                      const std::vector<const KindInfo*>& kinds, int64_t seed) {
  std::string names;
  for (const KindInfo* kind : kinds) absl::StrAppend(&names, NameOf(*kind), "\n");
  KUBE_ASSIGN_OR_RETURN(
      const std::string made,
      oracle::RunProgram(program, {.args = {absl::StrCat(seed), absl::StrCat(kObjectsAKind)},
                                   .input = names,
                                   .timeout = absl::Minutes(10)}));
  absl::string_view stream = made;
  std::string input;
  for (const KindInfo* kind : kinds) {
    absl::StrAppend(&input, NameOf(*kind), " ", kObjectsAKind, "\n");
    for (int64_t i = 0; i < kObjectsAKind; ++i) {
      const absl::string_view json = TakePart(stream);
      absl::StrAppend(&input, SizeOf(json), json);
      for (int other = 0; other < 3; ++other) TakePart(stream);
    }
  }
  return input;
}

TEST(RandomPatches, OfEveryKind) {
  const absl::StatusOr<std::string> objects = oracle::FindData("oracles", "random_objects");
  const absl::StatusOr<std::string> patches = oracle::FindData("oracles", "patch_oracle");
  if (oracle::PrintSkipped(objects.status()) || oracle::PrintSkipped(patches.status())) {
    GTEST_SKIP();
  }
  const int64_t count = Setting("PATCH_CASES", 15);
  const int64_t seed = Setting("PATCH_SEED", 1);
  Judge judge;
  const std::vector<const KindInfo*> all = api::AllKinds();
  size_t tested = 0;
  for (size_t first = 0; first < all.size(); first += kKindsARun) {
    const std::vector<const KindInfo*> kinds(
        all.begin() + static_cast<std::ptrdiff_t>(first),
        all.begin() + static_cast<std::ptrdiff_t>(std::min(first + kKindsARun, all.size())));
    const absl::StatusOr<std::string> input = MakeInput(*objects, kinds, seed);
    ASSERT_TRUE(input.ok()) << input.status();
    const absl::StatusOr<std::string> made =
        oracle::RunProgram(*patches, {.args = {"random", absl::StrCat(seed), absl::StrCat(count)},
                                      .input = *input,
                                      .timeout = absl::Minutes(10)});
    ASSERT_TRUE(made.ok()) << made.status();
    absl::string_view stream = *made;
    for (const KindInfo* kind : kinds) {
      bool is_fine = true;
      for (int64_t i = 0; i < count; ++i) {
        const Case c = TakeCase(stream);
        // One failure of a kind is enough.
        if (!is_fine) continue;
        SCOPED_TRACE(absl::StrCat(NameOf(*kind), ", seed ", seed, ", case ", i,
                                  "\n  original: ", c.original, "\n  modified: ", c.modified,
                                  "\n  current:  ", c.current, "\n  hostile:  ", c.hostile,
                                  "\n  JSON:     ", c.json));
        is_fine = TestStrategic(*kind, c, judge) && TestOthers(*kind, c, judge);
        ++tested;
      }
    }
  }
  EXPECT_GT(all.size(), 300u);
  std::cout << all.size() << " kinds, " << tested << " cases, seed " << seed << "\n";
  for (const auto& [what, number] : judge.counts())
    std::cout << "  " << what << ": " << number << "\n";
}

}  // namespace
}  // namespace kube::patch
