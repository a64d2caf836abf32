// Patches of every type on large documents, with as many changes as members. Checks that patches
// which edit lists and objects in place are correct, and that they end. GrowthTest limits the CPU
// time of patches of objects on documents of 3 MB; `tools/bench patch` compares it with Go's.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/patch/json_patch.h"
#include "apimachinery/patch/merge_patch.h"
#include "apimachinery/patch/strategic_merge_patch.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/value.h"
#include "gtest/gtest.h"
#include "tests/thread_cpu_time.h"

namespace kube::patch {
namespace {

using base::IsOk;
using base::StatusIs;
using unstructured::Value;

constexpr size_t kMembers = 20'000;
constexpr size_t kElements = 10'000;

const KindInfo& Pod() {
  static const KindInfo kKind = {.kind = "Pod", .message = &api::core::v1::Pod::kMessage};
  return kKind;
}

template <typename T>
T Get(absl::StatusOr<T> result) {
  EXPECT_THAT(result, IsOk());
  return result.ok() ? *std::move(result) : T();
}

// {"<prefix>1000000": "v", ...}
Map<Value> Members(absl::string_view prefix, const Value& value, size_t count = kMembers) {
  Map<Value> members = Map<Value>::Empty();
  for (size_t i = 0; i < count; ++i) members[absl::StrCat(prefix, 1'000'000 + i)] = value;
  return members;
}

Value Elements(size_t count, absl::FunctionRef<Value(size_t)> element) {
  List<Value> elements = List<Value>::Empty();
  for (size_t i = 0; i < count; ++i) elements.push_back(element(i));
  return elements;
}

// Returns a Pod with `value` at this place.
Value InMetadata(absl::string_view name, Value value) {
  Map<Value> metadata;
  metadata[name] = std::move(value);
  return Map<Value>{{"metadata", std::move(metadata)}};
}
Value InSpec(Map<Value> spec) { return Map<Value>{{"spec", std::move(spec)}}; }

size_t SizeAt(const Value& value, absl::string_view outer, absl::string_view inner) {
  const Value* found = value.Find(outer)->Find(inner);
  if (found == nullptr) return 0;
  return found->is_list() ? found->list()->size() : found->object()->size();
}

TEST(LargePatchTest, MergePatchesOfObjects) {
  const Value nulls = Members("k", nullptr);
  const Value values = Members("k", "v");
  Value result = Get(ApplyMergePatch(Map<Value>::Empty(), Value(Map<Value>{{"a", nulls}})));
  EXPECT_EQ(SizeAt(Map<Value>{{"", result}}, "", "a"), 0u) << "nulls are pruned";
  result = Get(ApplyMergePatch(values, nulls));
  EXPECT_TRUE(result.object()->empty()) << "members are deleted";
  result = Get(ApplyMergePatch(values, Members("a", "v")));
  EXPECT_EQ(result.object()->size(), 2 * kMembers) << "members are added before others";

  Value patch = Get(MakeMergePatch(values, Members("z", "v")));
  EXPECT_EQ(patch.object()->size(), 2 * kMembers);
  patch = Get(MakeThreeWayMergePatch(values, Members("a", "v"), values));
  EXPECT_EQ(patch.object()->size(), 2 * kMembers) << "deletes the one half, adds the other";
}

TEST(LargePatchTest, StrategicMergePatchesOfObjects) {
  const Value before = InMetadata("annotations", Members("k", "v"));
  const Value nulls = InMetadata("annotations", Members("k", nullptr));
  Value result = Get(ApplyStrategicMergePatch(before, nulls, Pod()));
  EXPECT_EQ(SizeAt(result, "metadata", "annotations"), 0u);
  result = Get(ApplyStrategicMergePatch(Map<Value>::Empty(), nulls, Pod()));
  EXPECT_EQ(SizeAt(result, "metadata", "annotations"), 0u);
  const Value after = InMetadata("annotations", Members("a", "v"));
  result = Get(ApplyStrategicMergePatch(before, after, Pod()));
  EXPECT_EQ(SizeAt(result, "metadata", "annotations"), 2 * kMembers);

  Value patch = Get(MakeStrategicMergePatch(before, after, Pod()));
  EXPECT_EQ(SizeAt(patch, "metadata", "annotations"), 2 * kMembers);
  patch = Get(MakeThreeWayStrategicMergePatch(before, after, before, Pod()));
  EXPECT_EQ(SizeAt(patch, "metadata", "annotations"), 2 * kMembers);

  Map<Value> retained = {{"$retainKeys", List<Value>{"a"}}, {"a", 1}};
  result =
      Get(ApplyStrategicMergePatch(before, InMetadata("annotations", std::move(retained)), Pod()));
  EXPECT_EQ(SizeAt(result, "metadata", "annotations"), 1u);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#elif defined(__has_feature)
constexpr bool kSanitized = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool kSanitized = false;
#endif

// Patches of documents of 3 MB: in the text that kubectl sends, a member has about 15 bytes. If
// each change moved all members after it, each of these patches would take minutes.
class GrowthTest : public testing::Test {
 protected:
  static constexpr size_t kMany = kSanitized ? 20'000 : 200'000;

  // Checks that `patch` works and takes the thread less than 10 s of CPU time.
  static Value Timed(absl::string_view what, absl::FunctionRef<absl::StatusOr<Value>()> patch) {
    const absl::Duration begin = oracle::ThreadCpuTime();
    Value result = Get(patch());
    EXPECT_LT(oracle::ThreadCpuTime() - begin, absl::Seconds(10)) << what;
    return result;
  }

  static size_t SizeOf(const Value& value) { return value.object()->size(); }
  static size_t Annotations(const Value& value) { return SizeAt(value, "metadata", "annotations"); }

  const Value values_ = Members("k", "v", kMany);
  const Value nulls_ = Members("k", nullptr, kMany);
  const Value before_ = Members("a", "v", kMany);
};

TEST_F(GrowthTest, MergePatchesAreLinear) {
  Value result = Timed("nulls are pruned", [&] {
    return ApplyMergePatch(Map<Value>::Empty(), Map<Value>{{"x", nulls_}});
  });
  EXPECT_EQ(SizeOf(*result.Find("x")), 0u);
  result = Timed("members are deleted", [&] { return ApplyMergePatch(values_, nulls_); });
  EXPECT_EQ(SizeOf(result), 0u);
  result = Timed("members are added before", [&] { return ApplyMergePatch(values_, before_); });
  EXPECT_EQ(SizeOf(result), 2 * kMany);
  result = Timed("a patch is made", [&] { return MakeMergePatch(values_, before_); });
  EXPECT_EQ(SizeOf(result), 2 * kMany);
  result = Timed("a patch is made of three",
                 [&] { return MakeThreeWayMergePatch(values_, before_, values_); });
  EXPECT_EQ(SizeOf(result), 2 * kMany);
}

TEST_F(GrowthTest, StrategicMergePatchesAreLinear) {
  const Value values = InMetadata("annotations", values_);
  const Value nulls = InMetadata("annotations", nulls_);
  const Value before = InMetadata("annotations", before_);
  Value result = Timed("nulls are pruned",
                       [&] { return ApplyStrategicMergePatch(Map<Value>::Empty(), nulls, Pod()); });
  EXPECT_EQ(Annotations(result), 0u);
  result =
      Timed("members are deleted", [&] { return ApplyStrategicMergePatch(values, nulls, Pod()); });
  EXPECT_EQ(Annotations(result), 0u);
  result = Timed("members are added before",
                 [&] { return ApplyStrategicMergePatch(values, before, Pod()); });
  EXPECT_EQ(Annotations(result), 2 * kMany);
  result = Timed("a patch is made", [&] { return MakeStrategicMergePatch(values, before, Pod()); });
  EXPECT_EQ(Annotations(result), 2 * kMany);
  result = Timed("a patch is made of three",
                 [&] { return MakeThreeWayStrategicMergePatch(values, before, values, Pod()); });
  EXPECT_EQ(Annotations(result), 2 * kMany);
}

Value Volume(size_t i) { return Map<Value>{{"name", absl::StrCat("v", i)}}; }
Value OtherVolume(size_t i) { return Map<Value>{{"name", absl::StrCat("w", i)}}; }
Value DeletedVolume(size_t i) {
  return Map<Value>{{"$patch", "delete"}, {"name", absl::StrCat("v", i)}};
}

TEST(LargePatchTest, StrategicMergePatchesOfLists) {
  const Value before = InSpec({{"volumes", Elements(kElements, Volume)}});
  const Value after = InSpec({{"volumes", Elements(kElements, OtherVolume)}});
  Value result = Get(ApplyStrategicMergePatch(before, after, Pod()));
  EXPECT_EQ(SizeAt(result, "spec", "volumes"), 2 * kElements);
  const Value deletions = InSpec({{"volumes", Elements(kElements, DeletedVolume)}});
  result = Get(ApplyStrategicMergePatch(before, deletions, Pod()));
  EXPECT_EQ(SizeAt(result, "spec", "volumes"), 0u);

  // All steps: deletions, additions and an order.
  const Value patch = Get(MakeStrategicMergePatch(before, after, Pod()));
  result = Get(ApplyStrategicMergePatch(before, patch, Pod()));
  EXPECT_TRUE(result == after);
}

TEST(LargePatchTest, StrategicMergePatchesOfScalars) {
  const auto text = [](size_t i) { return Value(absl::StrCat("example.com/", i)); };
  const Value before = InMetadata("finalizers", Elements(kElements, text));
  const Value after =
      InMetadata("finalizers", Elements(kElements, [&](size_t i) { return text(i + kElements); }));
  Value result = Get(ApplyStrategicMergePatch(before, after, Pod()));
  EXPECT_EQ(SizeAt(result, "metadata", "finalizers"), 2 * kElements);
  const Value pairs =
      InMetadata("finalizers", Elements(kElements, [&](size_t i) { return text(i / 2); }));
  result = Get(ApplyStrategicMergePatch(pairs, after, Pod()));
  EXPECT_EQ(SizeAt(result, "metadata", "finalizers"), kElements / 2 + kElements);

  const Value patch = Get(MakeStrategicMergePatch(before, after, Pod()));
  result = Get(ApplyStrategicMergePatch(before, patch, Pod()));
  EXPECT_TRUE(result == after);
}

// Names match in any case, so there may be as many orders as spellings.
TEST(LargePatchTest, OrdersOfOneListInManySpellings) {
  constexpr absl::string_view kName = "ephemeralcontainers";
  Map<Value> spec = Map<Value>::Empty();
  for (uint32_t bits = 0; bits < 20'000; ++bits) {
    std::string name(kName);
    for (size_t i = 0; i < name.size(); ++i) {
      if ((bits >> i & 1) != 0) name[i] = static_cast<char>(name[i] - 'a' + 'A');
    }
    spec[absl::StrCat("$setElementOrder/", name)] = List<Value>{Map<Value>{{"name", "x"}}};
    spec[name] = List<Value>{Map<Value>{{"name", "x"}}};
  }
  const Value result =
      Get(ApplyStrategicMergePatch(InSpec(Map<Value>::Empty()), InSpec(std::move(spec)), Pod()));
  EXPECT_EQ(result.Find("spec")->object()->size(), 20'000u);
}

TEST(LargePatchTest, JsonPatchesOfObjects) {
  constexpr size_t kOperations = kMembers / 2;
  JsonPatch patch;
  for (size_t i = 0; i < kOperations; ++i) {
    const size_t k = 1'000'000 + i;
    patch.push_back({.op = JsonPatchOp::kRemove, .path = absl::StrCat("/data/k", k)});
    patch.push_back({.op = JsonPatchOp::kAdd, .path = absl::StrCat("/data/a", k), .value = "v"});
    patch.push_back({.op = JsonPatchOp::kTest, .path = absl::StrCat("/data/a", k), .value = "v"});
    patch.push_back({.op = JsonPatchOp::kMove,
                     .path = absl::StrCat("/data/0", k),
                     .from = absl::StrCat("/data/a", k)});
  }
  const Value object = Map<Value>{{"data", Members("k", "v")}};
  const Value result = Get(ApplyJsonPatch(object, patch, {.max_operations = 0}));
  const Map<Value>& data = *result.Find("data")->object();
  EXPECT_EQ(data.size(), kMembers);
  EXPECT_EQ(data.begin()->key, "01000000");

  const JsonPatch back = Get(MakeJsonPatch(result, object));
  const Value again = Get(ApplyJsonPatch(result, back, {.max_operations = 0}));
  EXPECT_TRUE(again == object);
}

TEST(LargePatchTest, JsonPatchesOfLists) {
  constexpr size_t kOperations = 6'000;
  const Value object = Map<Value>{{"list", Elements(100'000, [](size_t) { return Value(0); })}};
  JsonPatch patch;
  for (size_t i = 0; i < kOperations; ++i) {
    patch.push_back({.op = JsonPatchOp::kAdd, .path = "/list/0", .value = Value(1)});
    patch.push_back({.op = JsonPatchOp::kRemove, .path = "/list/70000"});
    patch.push_back({.op = JsonPatchOp::kMove, .path = "/list/5", .from = "/list/-1"});
  }
  const Value result = Get(ApplyJsonPatch(object, patch, {.max_operations = 0}));
  EXPECT_EQ(result.Find("list")->list()->size(), 100'000u);
}

// Nested objects with equal members: without the hashes, each level would compare everything below
// it once more.
TEST(LargePatchTest, JsonPatchesOfDeepDocuments) {
  constexpr size_t kLevels = 5'000;
  const auto nest = [](absl::string_view innermost) {
    Value value = innermost;
    for (size_t i = 0; i < kLevels; ++i) {
      Map<Value> level = Members("m", "v", 20);
      if (i % 2 == 0) {
        List<Value> list;
        list.push_back(std::move(value));
        value = std::move(list);
      }
      level["x"] = std::move(value);
      value = std::move(level);
    }
    return value;
  };
  const Value from = nest("a"), to = nest("b");
  const JsonPatch patch = Get(MakeJsonPatch(from, to));
  ASSERT_EQ(patch.size(), 1u);
  const Value result = Get(ApplyJsonPatch(from, patch));
  EXPECT_TRUE(result == to);
}

// Each operation adds a document of the maximum depth at the deepest place.
TEST(LargePatchTest, JsonPatchesDoNotNestWithoutEnd) {
  constexpr size_t kLevels = 5'000;
  Value deep = Map<Value>::Empty();
  std::string way;
  for (size_t i = 0; i < kLevels; ++i) {
    Map<Value> level;
    level["x"] = std::move(deep);
    deep = std::move(level);
    way += "/x";
  }
  JsonPatch patch;
  std::string path = "/x";
  for (int i = 0; i < 20; ++i, path += way) {
    patch.push_back({.op = JsonPatchOp::kAdd, .path = path, .value = deep});
  }
  EXPECT_THAT(ApplyJsonPatch(Map<Value>::Empty(), patch),
              StatusIs(absl::StatusCode::kInvalidArgument));
  patch.resize(1);
  EXPECT_THAT(ApplyJsonPatch(Map<Value>::Empty(), patch), IsOk());
}

}  // namespace
}  // namespace kube::patch
