// Random operations on an Indexer and on a model made of std::map.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "listers/index_function.h"
#include "listers/indexer.h"
#include "listers/snapshot.h"
#include "tests/dice.h"

namespace kube::listers {
namespace {

namespace corev1 = kube::api::core::v1;
using base::IsOk;
using Object = std::shared_ptr<const corev1::Pod>;
using Model = std::map<std::string, Object>;

std::string KeyOf(const corev1::Pod& pod) {
  return absl::StrCat(pod.metadata.namespace_.view(), "/", pod.metadata.name.view());
}

Object RandomPod(oracle::Dice& dice, int version) {
  corev1::Pod pod = {.metadata = {.name = absl::StrCat("p", dice.Below(120)),
                                  .namespace_ = absl::StrCat("ns", dice.Below(6)),
                                  .resource_version = absl::StrCat(version)},
                     .spec = {.node_name = absl::StrCat("node", dice.Below(10))}};
  for (size_t i = dice.Below(4); i > 0; --i) {
    pod.metadata.finalizers.push_back(absl::StrCat("f", dice.Below(5)));
  }
  return std::make_shared<const corev1::Pod>(std::move(pod));
}

template <typename Keep>
std::set<Object> Filter(const Model& model, Keep keep) {
  std::set<Object> objects;
  for (const auto& [key, object] : model) {
    if (keep(*object)) objects.insert(object);
  }
  return objects;
}

std::set<Object> SetOf(const ObjectList<corev1::Pod>& list) {
  const std::vector<Object> objects = list.ToVector();
  EXPECT_EQ(objects.size(), list.size());
  return {objects.begin(), objects.end()};
}

void ExpectSame(const Snapshot<corev1::Pod>& snapshot, const Model& model) {
  ASSERT_EQ(snapshot.size(), model.size());
  EXPECT_EQ(SetOf(snapshot.List()), Filter(model, [](const auto&) { return true; }));
  for (const auto& [key, object] : model) ASSERT_EQ(snapshot.GetByKey(key), object);
  for (int i = 0; i < 10; ++i) {
    const std::string ns = absl::StrCat("ns", i);
    EXPECT_EQ(SetOf(snapshot.List(ns)),
              Filter(model, [&](const auto& pod) { return pod.metadata.namespace_ == ns; }));
    const std::string node = absl::StrCat("node", i);
    EXPECT_EQ(SetOf(*snapshot.ByIndex("node", node)),
              Filter(model, [&](const auto& pod) { return pod.spec.node_name == node; }));
    const std::string finalizer = absl::StrCat("f", i);
    EXPECT_EQ(SetOf(*snapshot.ByIndex("finalizer", finalizer)),
              Filter(model, [&](const corev1::Pod& pod) {
                const auto& all = pod.metadata.finalizers;
                return std::find(all.begin(), all.end(), finalizer) != all.end();
              }));
  }
}

void Write(Indexer<corev1::Pod>& pods, Model& model, oracle::Dice& dice, int step) {
  const Object pod = RandomPod(dice, step);
  switch (dice.Below(20)) {
    case 0: {  // Replace
      std::vector<Object> list;
      model.clear();
      for (size_t n = dice.Below(400); n > 0; --n) {
        list.push_back(RandomPod(dice, step));
        model[KeyOf(*list.back())] = list.back();
      }
      ASSERT_THAT(pods.Replace(std::move(list), absl::StrCat(step)), IsOk());
      return;
    }
    case 1:
    case 2: {  // Apply
      std::vector<Change<corev1::Pod>> changes;
      for (size_t n = dice.Below(30); n > 0; --n) {
        changes.push_back({.object = RandomPod(dice, step), .removed = dice.Below(3) == 0});
        const Change<corev1::Pod>& last = changes.back();
        model.erase(KeyOf(*last.object));
        if (!last.removed) model[KeyOf(*last.object)] = last.object;
      }
      ASSERT_THAT(pods.Apply(std::move(changes)), IsOk());
      return;
    }
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
      model.erase(KeyOf(*pod));
      ASSERT_THAT(pods.Delete(*pod), IsOk());
      return;
    case 8:
      model.erase(KeyOf(*pod));
      ASSERT_THAT(pods.DeleteByKey(KeyOf(*pod)), IsOk());
      return;
    default:
      model[KeyOf(*pod)] = pod;
      ASSERT_THAT(pods.Add(pod), IsOk());
  }
}

TEST(IndexerModel, RandomWrites_HaveTheResultsOfAMap) {
  for (uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    Indexer<corev1::Pod> pods;
    Model model;
    ASSERT_THAT(pods.AddIndexer("node", IndexByField<corev1::Pod>("spec.nodeName")), IsOk());
    std::vector<std::pair<Snapshot<corev1::Pod>, Model>> kept;
    const int late = static_cast<int>(dice.Below(300));
    for (int step = 0; step < 1200; ++step) {
      if (step == late) {
        ASSERT_THAT(pods.AddIndexer("finalizer", IndexByField<corev1::Pod>("metadata.finalizers")),
                    IsOk());
      }
      Write(pods, model, dice, step);
      const std::string key = absl::StrCat("ns", dice.Below(6), "/p", dice.Below(120));
      ASSERT_EQ(pods.GetByKey(key), model.contains(key) ? model[key] : nullptr) << key;
      if (step > late && dice.Below(50) == 0) kept.emplace_back(pods.snapshot(), model);
      if (kept.size() > 3) kept.erase(kept.begin() + dice.Below(kept.size()));
      if (step > late && dice.Below(100) == 0) ExpectSame(pods.snapshot(), model);
    }
    ExpectSame(pods.snapshot(), model);
    for (size_t i = 0; i < 6 * 120; ++i) {
      const std::string key = absl::StrCat("ns", i / 120, "/p", i % 120);
      ASSERT_EQ(pods.GetByKey(key), model.contains(key) ? model[key] : nullptr) << key;
    }
    for (const auto& [snapshot, its_model] : kept) ExpectSame(snapshot, its_model);
  }
}

}  // namespace
}  // namespace kube::listers
