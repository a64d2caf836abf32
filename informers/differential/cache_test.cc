// Random scripts for a store and a queue, and for client-go's: cache_oracle explains them.

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/meta/object_access.h"
#include "gtest/gtest.h"
#include "informers/delta.h"
#include "informers/internal/delta_queue.h"
#include "listers/index_function.h"
#include "listers/indexer.h"
#include "listers/snapshot.h"
#include "tests/dice.h"
#include "tests/oracle/go_cases.h"

namespace kube {
namespace {

namespace corev1 = kube::api::core::v1;
using Pod = std::shared_ptr<const corev1::Pod>;
using Pods = listers::Indexer<corev1::Pod>;

Pod Parse(absl::string_view spec) {
  const std::vector<std::string> parts = absl::StrSplit(spec, '|');
  corev1::Pod pod = {
      .metadata = {.name = parts[1], .namespace_ = parts[0], .resource_version = parts[4]},
      .spec = {.node_name = parts[2]}};
  for (absl::string_view f : absl::StrSplit(parts[3], ',', absl::SkipEmpty())) {
    pod.metadata.finalizers.push_back(f);
  }
  return std::make_shared<const corev1::Pod>(std::move(pod));
}

std::string Describe(const corev1::Pod& pod) {
  return absl::StrCat(pod.metadata.namespace_.view(), "/", pod.metadata.name.view(), "@",
                      pod.metadata.resource_version.view());
}

std::string Set(std::vector<std::string> texts) {
  std::sort(texts.begin(), texts.end());
  return absl::StrCat("{", absl::StrJoin(texts, ","), "}");
}

std::string Error(const absl::Status& status) {
  return absl::StrReplaceAll(absl::StrCat("error:", status.message()), {{" ", "_"}});
}

std::string Objects(const std::vector<Pod>& pods) {
  std::vector<std::string> texts;
  for (const Pod& pod : pods) texts.push_back(Describe(*pod));
  return Set(std::move(texts));
}

std::string Result(const absl::Status& status) { return status.ok() ? "ok" : "error"; }

std::string Change(Pods& pods, absl::string_view word) {
  const absl::string_view rest = word.substr(1);
  switch (word[0]) {
    case 'A':
      return Result(pods.Add(Parse(rest)));
    case 'U':
      return Result(pods.Update(Parse(rest)));
    case 'D':
      return Result(pods.Delete(*Parse(rest)));
    case 'R': {
      const std::pair<absl::string_view, absl::string_view> parts =
          absl::StrSplit(rest, absl::MaxSplits('=', 1));
      std::vector<Pod> list;
      for (absl::string_view spec : absl::StrSplit(parts.second, ';', absl::SkipEmpty())) {
        list.push_back(Parse(spec));
      }
      return Result(pods.Replace(std::move(list), std::string(parts.first)));
    }
    case 'T': {
      std::vector<listers::Change<corev1::Pod>> changes;
      for (absl::string_view spec : absl::StrSplit(rest, ';')) {
        changes.push_back({.object = Parse(spec.substr(1)), .removed = spec[0] == 'D'});
      }
      return Result(pods.Apply(std::move(changes)));
    }
    case 'B':
      pods.Bookmark(std::string(rest));
      return "ok";
    case 'N':
      return Result(pods.AddIndexer("node", listers::IndexByField<corev1::Pod>("spec.nodeName")));
    case 'F':
      return Result(
          pods.AddIndexer("finalizer", listers::IndexByField<corev1::Pod>("metadata.finalizers")));
  }
  return "";
}

std::string Ask(const Pods& pods, absl::string_view word) {
  const absl::string_view rest = word.substr(1);
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(rest, absl::MaxSplits('=', 1));
  switch (word[0]) {
    case 'G': {
      const Pod pod = pods.GetByKey(rest);
      return pod == nullptr ? "-" : Describe(*pod);
    }
    case 'L':
      return Objects(pods.List().ToVector());
    case 'K':
      return Set(pods.ListKeys());
    case 'I': {
      // The index that ours does not need.
      if (parts.first == "namespace") return Objects(pods.List(parts.second).ToVector());
      const auto list = pods.ByIndex(parts.first, parts.second);
      return list.ok() ? Objects(list->ToVector()) : Error(list.status());
    }
    case 'X': {
      const auto keys = pods.IndexKeys(parts.first, parts.second);
      return keys.ok() ? absl::StrCat("[", absl::StrJoin(*keys, ","), "]") : Error(keys.status());
    }
    case 'V':
      return Set(rest == "namespace" ? pods.snapshot().ListNamespaces()
                                     : pods.ListIndexFuncValues(rest));
    case 'O': {
      const auto objects = pods.Index(parts.first, *Parse(parts.second));
      return objects.ok() ? Objects(*objects) : Error(objects.status());
    }
    case 'v':
      return absl::StrCat("rv:", pods.resource_version());
  }
  return "?";
}

std::string PlayStore(const std::string& script) {
  Pods pods;
  std::vector<std::string> answers;
  for (absl::string_view word : absl::StrSplit(script, ' ')) {
    std::string answer = Change(pods, word);
    answers.push_back(answer.empty() ? Ask(pods, word) : std::move(answer));
  }
  return absl::StrJoin(answers, " ");
}

std::string RandomSpec(oracle::Dice& dice) {
  std::vector<std::string> finalizers;
  for (size_t n = dice.Below(4); n > 0; --n) finalizers.push_back(absl::StrCat("f", dice.Below(4)));
  const char* const namespaces[] = {"", "a", "b", "c"};
  const char* const nodes[] = {"", "n1", "n2", "n3"};
  return absl::StrCat(namespaces[dice.Below(4)], "|p", dice.Below(8), "|", nodes[dice.Below(4)],
                      "|", absl::StrJoin(finalizers, ","), "|", dice.Below(1000));
}

std::string RandomStoreWord(oracle::Dice& dice) {
  const std::string value =
      std::vector<std::string>{"", "n1", "n2", "f1", "f3", "a", "c"}[dice.Below(7)];
  const std::string index =
      std::vector<std::string>{"node", "node", "finalizer", "namespace", "none"}[dice.Below(5)];
  switch (dice.Below(24)) {
    case 0: {
      std::vector<std::string> specs;
      for (size_t n = dice.Below(20); n > 0; --n) specs.push_back(RandomSpec(dice));
      return absl::StrCat("R", dice.Below(1000), "=", absl::StrJoin(specs, ";"));
    }
    case 1: {
      std::vector<std::string> specs;
      for (size_t n = 1 + dice.Below(8); n > 0; --n) {
        specs.push_back(absl::StrCat(dice.Below(3) == 0 ? "D" : "A", RandomSpec(dice)));
      }
      return absl::StrCat("T", absl::StrJoin(specs, ";"));
    }
    case 2:
      return absl::StrCat("B", dice.Below(1000));
    case 3:
      return dice.Below(2) == 0 ? "N" : "F";
    case 4:
    case 5:
    case 6:
      return absl::StrCat("D", RandomSpec(dice));
    case 7:
      return "L";
    case 8:
      return "K";
    case 9:
    case 10:
      return absl::StrCat("I", index, "=", value);
    case 11:
    case 12:
      return absl::StrCat("X", index == "namespace" ? "node" : index, "=", value);
    case 13:
      return absl::StrCat("V", index);
    case 14:
      return absl::StrCat("O", index == "namespace" ? "node" : index, "=", RandomSpec(dice));
    case 15:
      return "v";
    case 16:
      return absl::StrCat(
          "G", std::vector<std::string>{"a/p1", "p1", "/p1", "a/p1/", "b/"}[dice.Below(5)]);
    default:
      return absl::StrCat(dice.Below(2) == 0 ? "A" : "U", RandomSpec(dice));
  }
}

TEST(Cache, StoreIsClientGos) {
  oracle::GoCases cases("cache_oracle");
  constexpr uint64_t kSeed = 1;
  oracle::Dice dice(kSeed);
  for (int i = 0; i < 400; ++i) {
    std::vector<std::string> words;
    for (size_t n = 20 + dice.Below(150); n > 0; --n) words.push_back(RandomStoreWord(dice));
    const std::string script = absl::StrJoin(words, " ");
    cases.Add("store", script, PlayStore(script));
  }
  cases.Check();
}

constexpr const meta::ObjectAccess& kPodAccess = meta::kObjectAccess<corev1::Pod>;

// Nothing if the queue is empty.
std::optional<std::string> PopBatch(informers::internal::DeltaQueue& queue) {
  std::vector<std::string> texts;
  const bool popped = queue.Pop([&](std::vector<informers::Delta<void>> deltas, bool is_initial) {
    if (is_initial) texts.push_back("initial");
    for (const informers::Delta<void>& delta : deltas) {
      std::string text(ToString(delta.type));
      if (delta.object != nullptr) {
        absl::StrAppend(&text, ":", kPodAccess.key(delta.object.get()).name);
      }
      if (!delta.resource_version.empty()) absl::StrAppend(&text, ":", delta.resource_version);
      for (const auto& pod : delta.objects) {
        absl::StrAppend(&text, ":", kPodAccess.key(pod.get()).name);
      }
      texts.push_back(std::move(text));
    }
  });
  if (!popped) return std::nullopt;
  return absl::StrJoin(texts, ",");
}

Pod NamedPod(absl::string_view name) {
  return std::make_shared<const corev1::Pod>(corev1::Pod{.metadata = {.name = name}});
}

informers::Delta<void> EventOf(informers::DeltaType type, absl::string_view name) {
  informers::Delta<void> delta;
  delta.type = type;
  delta.object = NamedPod(name);
  return delta;
}

// "5=a,b" of a list, "5" of a bookmark.
informers::Delta<void> WholeOf(informers::DeltaType type, absl::string_view text) {
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(text, absl::MaxSplits('=', 1));
  informers::Delta<void> delta;
  delta.type = type;
  delta.resource_version = std::string(parts.first);
  for (absl::string_view name : absl::StrSplit(parts.second, ',', absl::SkipEmpty())) {
    delta.objects.push_back(NamedPod(name));
  }
  return delta;
}

std::optional<informers::Delta<void>> DeltaOf(absl::string_view word) {
  using informers::DeltaType;
  const absl::string_view rest = word.substr(1);
  switch (word[0]) {
    case 'a':
      return EventOf(DeltaType::kAdded, rest);
    case 'u':
      return EventOf(DeltaType::kUpdated, rest);
    case 'd':
      return EventOf(DeltaType::kDeleted, rest);
    case 'R':
      return WholeOf(DeltaType::kReplaced, rest);
    case 'y':
      return WholeOf(DeltaType::kSync, rest);
    case 'b':
      return WholeOf(DeltaType::kBookmark, rest);
    default:
      return std::nullopt;
  }
}

std::string PlayQueue(const std::string& script) {
  informers::internal::DeltaQueue queue(kPodAccess);
  // Nobody has to close ours.
  const char* when_empty = "empty";
  std::vector<std::string> answers;
  for (absl::string_view word : absl::StrSplit(script, ' ')) {
    if (std::optional<informers::Delta<void>> delta = DeltaOf(word); delta.has_value()) {
      queue.Push(*std::move(delta));
      answers.push_back("ok");
    } else if (word[0] == 'p') {
      answers.push_back(PopBatch(queue).value_or(when_empty));
    } else if (word[0] == 'h') {
      answers.push_back(queue.synced().IsSet() ? "true" : "false");
    } else {
      when_empty = "closed";
      answers.push_back("ok");
    }
  }
  return absl::StrJoin(answers, " ");
}

std::string RandomQueueWord(oracle::Dice& dice) {
  switch (dice.Below(12)) {
    case 0: {
      std::vector<std::string> names;
      for (size_t n = dice.Below(4); n > 0; --n) names.push_back(absl::StrCat("p", dice.Below(9)));
      return absl::StrCat("R", 1 + dice.Below(99), "=", absl::StrJoin(names, ","));
    }
    case 1:
      return "y";
    case 2:
      return absl::StrCat("b", 1 + dice.Below(99));
    case 3:
    case 4:
      return "p";
    case 5:
      return "h";
    default:
      return absl::StrCat(std::string(1, "aud"[dice.Below(3)]), "p", dice.Below(9));
  }
}

// behaviour.md: INF-10
TEST(Cache, QueueIsClientGos) {
  oracle::GoCases cases("cache_oracle");
  constexpr uint64_t kSeed = 2;
  oracle::Dice dice(kSeed);
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::string> words;
    for (size_t n = 5 + dice.Below(60); n > 0; --n) words.push_back(RandomQueueWord(dice));
    for (const char* word : {"c", "p", "h", "p", "p", "p"}) words.push_back(word);
    const std::string script = absl::StrJoin(words, " ");
    cases.Add("queue", script, PlayQueue(script));
  }
  // More than a batch.
  std::vector<std::string> words;
  for (int i = 0; i < 2500; ++i) words.push_back(absl::StrCat("ap", i));
  for (int i = 0; i < 4; ++i) words.push_back("p");
  cases.Add("queue", absl::StrJoin(words, " "), PlayQueue(absl::StrJoin(words, " ")));
  cases.Check();
}

}  // namespace
}  // namespace kube
