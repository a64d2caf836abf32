// Random mappers of all four kinds, asked what Go's are asked: same answers, same errors.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "apimachinery/base/context.h"
#include "apimachinery/restmapper/default_rest_mapper.h"
#include "apimachinery/restmapper/errors.h"
#include "apimachinery/restmapper/multi_rest_mapper.h"
#include "apimachinery/restmapper/priority_rest_mapper.h"
#include "apimachinery/restmapper/rest_mapper.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/kind_info.h"
#include "gtest/gtest.h"
#include "tests/dice.h"
#include "tests/oracle/oracle.h"

namespace kube::restmapper {
namespace {

using Words = std::vector<std::string>;

constexpr uint64_t kSeed = 20260711;
constexpr int kMappers = 150;
constexpr int kQuestionsPerMapper = 30;

const Words& Groups() {
  static const Words groups = {"", "apps", "stor", "storage.k8s.io", "policy.example.com"};
  return groups;
}
const Words& Versions() {
  static const Words versions = {"v1", "v1beta1", "v2"};
  return versions;
}
const Words& Kinds() {
  static const Words kinds = {"Pod", "Policy", "Ingress", "Endpoints", "Box", "PodList", "Sheep"};
  return kinds;
}
const Words& Resources() {
  static const Words resources = {"pods",  "pod",       "Pods",  "policies", "policy", "ingresses",
                                  "boxen", "endpoints", "boxes", "box",      "sheep",  "nothing"};
  return resources;
}

Scope ScopeOf(const std::string& name) {
  return name == "namespaced" ? Scope::kNamespaced : Scope::kCluster;
}

std::string Text(const std::string& text) { return text; }
std::string Text(const RestMapping& mapping) {
  return absl::StrCat(mapping.resource.ToString(), "; ", mapping.kind.ToString(), "; ",
                      mapping.scope == Scope::kNamespaced ? "namespace" : "root");
}
template <typename T>
std::string Text(const T& name) {
  return name.ToString();
}
template <typename T>
std::string Text(const std::vector<T>& list) {
  return absl::StrJoin(
      list, " | ", [](std::string* out, const T& element) { absl::StrAppend(out, Text(element)); });
}

template <typename T>
std::string Answer(const absl::StatusOr<T>& answer) {
  if (answer.ok()) return Text(*answer);
  const auto yes = [](bool is_so) { return is_so ? "true" : "false"; };
  const absl::Status& status = answer.status();
  return absl::StrCat("error no-match=", yes(IsNoMatch(status)),
                      " ambiguous=", yes(IsAmbiguous(status)), " ", status.message());
}

// What the Go program does, with our mappers.
class Mappers {
 public:
  bool Build(const Words& w);
  std::string Ask(const Words& w) const;

 private:
  std::vector<std::shared_ptr<RestMapper>> Pop(size_t n) {
    std::vector<std::shared_ptr<RestMapper>> popped(stack_.end() - n, stack_.end());
    stack_.resize(stack_.size() - n);
    return popped;
  }
  void MakeDefault(const Words& w);
  void MakePriority(const Words& w);
  DefaultRestMapper& Top() { return dynamic_cast<DefaultRestMapper&>(*stack_.back()); }

  std::vector<std::shared_ptr<RestMapper>> stack_;
};

void Mappers::MakeDefault(const Words& w) {
  std::vector<schema::GroupVersion> versions;
  for (size_t i = 1; i < w.size(); ++i) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(w[i], '/');
    versions.push_back({.group = parts.first, .version = parts.second});
  }
  stack_.push_back(std::make_shared<DefaultRestMapper>(versions));
}

void Mappers::MakePriority(const Words& w) {
  RestMapperPriority priority;
  for (size_t i = 1; i < w.size(); ++i) {
    const Words parts = absl::StrSplit(w[i], '/');
    if (!parts[2].empty()) priority.resources.push_back({parts[0], parts[1], parts[2]});
    if (!parts[3].empty()) priority.kinds.push_back({parts[0], parts[1], parts[3]});
  }
  stack_.push_back(std::make_shared<PriorityRestMapper>(Pop(1)[0], priority));
}

bool Mappers::Build(const Words& w) {
  if (w[0] == "default") {
    MakeDefault(w);
  } else if (w[0] == "add") {
    Top().Add({w[1], w[2], w[3]}, ScopeOf(w[4]));
  } else if (w[0] == "specific") {
    Top().AddSpecific({w[1], w[2], w[3]}, {w[1], w[2], w[4]}, {w[1], w[2], w[5]}, ScopeOf(w[6]));
  } else if (w[0] == "multi") {
    stack_.push_back(std::make_shared<MultiRestMapper>(Pop(std::stoul(w[1]))));
  } else if (w[0] == "firsthit") {
    stack_.push_back(std::make_shared<FirstHitRestMapper>(Pop(std::stoul(w[1]))));
  } else if (w[0] == "priority") {
    MakePriority(w);
  } else if (w[0] == "clear") {
    stack_.clear();
  } else {
    return false;
  }
  return true;
}

std::string Mappers::Ask(const Words& w) const {
  const Context ctx;
  const RestMapper& mapper = *stack_.back();
  if (w[0] == "singular") return Answer(mapper.ResourceSingularizer(ctx, w[1]));
  if (w[0] == "mapping" || w[0] == "mappings") {
    const schema::GroupKind kind = {.group = w[1], .kind = w[2]};
    const Words versions(w.begin() + 3, w.end());
    return w[0] == "mapping" ? Answer(mapper.RestMappingFor(ctx, kind, versions))
                             : Answer(mapper.RestMappingsFor(ctx, kind, versions));
  }
  const schema::GroupVersionResource partial = {.group = w[1], .version = w[2], .resource = w[3]};
  if (w[0] == "kind") return Answer(mapper.KindFor(ctx, partial));
  if (w[0] == "kinds") return Answer(mapper.KindsFor(ctx, partial));
  if (w[0] == "resource") return Answer(mapper.ResourceFor(ctx, partial));
  return Answer(mapper.ResourcesFor(ctx, partial));
}

class ScriptMaker {
 public:
  explicit ScriptMaker(uint64_t seed) : dice_(seed) {}

  std::vector<Words> Make() {
    for (int i = 0; i < kMappers; ++i) {
      script_.push_back({"clear"});
      Mapper(2);
      for (int j = 0; j < kQuestionsPerMapper; ++j) Question();
    }
    return script_;
  }

 private:
  const std::string& Pick(const Words& words) { return words[dice_.Below(words.size())]; }
  // One time in `n` nothing.
  std::string PickOr(const Words& words, const std::string& other, size_t n) {
    return dice_.Below(n) == 0 ? other : Pick(words);
  }

  void Mapper(int depth) {
    if (depth == 0 || dice_.Below(3) == 0) return Default();
    if (dice_.Below(2) == 0) {
      Mapper(depth - 1);
      return Priority();
    }
    const size_t n = 1 + dice_.Below(3);
    for (size_t i = 0; i < n; ++i) Mapper(depth - 1);
    script_.push_back({dice_.Below(2) == 0 ? "multi" : "firsthit", absl::StrCat(n)});
  }

  void Default() {
    Words made = {"default"};
    // A few mappers have an order for all that they know; Go's answers then vary less.
    for (const std::string& group : Groups()) {
      for (const std::string& version : Versions()) {
        if (dice_.Below(5) > 0) made.push_back(absl::StrCat(group, "/", version));
      }
    }
    for (size_t i = made.size() - 1; i > 1; --i) {
      std::swap(made[i], made[1 + dice_.Below(i)]);
    }
    script_.push_back(made);
    const size_t n = dice_.Below(6);
    for (size_t i = 0; i < n; ++i) {
      const std::string scope = dice_.Below(2) == 0 ? "namespaced" : "root";
      const std::string kind = Pick(Kinds());
      if (dice_.Below(4) > 0) {
        script_.push_back({"add", Pick(Groups()), Pick(Versions()), kind, scope});
      } else {
        script_.push_back({"specific", Pick(Groups()), Pick(Versions()), kind, Pick(Resources()),
                           Pick(Resources()), scope});
      }
    }
  }

  void Priority() {
    Words made = {"priority"};
    for (size_t n = dice_.Below(5); n > 0; --n) {
      made.push_back(absl::StrCat(PickOr(Groups(), "*", 2), "/", PickOr(Versions(), "*", 2), "/",
                                  PickOr(Resources(), "*", 2), "/", PickOr(Kinds(), "*", 2)));
    }
    script_.push_back(made);
  }

  void Question() {
    static const Words of_resources = {"kind", "kinds", "resource", "resources"};
    switch (dice_.Below(4)) {
      case 0: {
        Words asked = {dice_.Below(2) == 0 ? "mapping" : "mappings", Pick(Groups()),
                       PickOr(Kinds(), "Odd \"kind\"\n", 9)};
        for (size_t n = dice_.Below(4); n > 0; --n) {
          asked.push_back(PickOr(Versions(), dice_.Below(2) == 0 ? "__internal" : "v9", 4));
        }
        if (asked[2].find('\n') != std::string::npos) asked[2] = "Odd \"kind\" \x7f";
        script_.push_back(asked);
        break;
      }
      case 1:
        script_.push_back({"singular", PickOr(Resources(), "", 20)});
        break;
      default:
        script_.push_back({Pick(of_resources), PickOr(Groups(), "", 3),
                           PickOr(Versions(), dice_.Below(5) == 0 ? "__internal" : "", 2),
                           PickOr(Resources(), "", 20)});
    }
  }

  oracle::Dice dice_;
  std::vector<Words> script_;
};

// behaviour.md: DISC-5
TEST(RestMapperDifferentialTest, Lookups_RandomMappers_AgreeWithGo) {
  const absl::StatusOr<std::string> program = oracle::FindData("oracles", "restmapper_oracle");
  if (oracle::PrintSkipped(program.status())) GTEST_SKIP();
  ASSERT_TRUE(program.ok()) << program.status();
  SCOPED_TRACE(absl::StrCat("seed ", kSeed));
  const std::vector<Words> script = ScriptMaker(kSeed).Make();
  std::string input;
  for (const Words& words : script) absl::StrAppend(&input, absl::StrJoin(words, "\t"), "\n");
  const absl::StatusOr<std::string> output = oracle::RunProgram(*program, {.input = input});
  ASSERT_TRUE(output.ok()) << output.status();

  const std::vector<std::string> answers = absl::StrSplit(*output, '\n', absl::SkipEmpty());
  Mappers mappers;
  size_t asked = 0;
  size_t steady = 0;
  std::string built;
  for (const Words& words : script) {
    if (words[0] == "clear") built.clear();
    if (mappers.Build(words)) {
      absl::StrAppend(&built, absl::StrJoin(words, " "), "\n");
      continue;
    }
    ASSERT_LT(asked, answers.size());
    const std::string& go = answers[asked++];
    if (go == "varies") continue;
    ++steady;
    ASSERT_EQ(mappers.Ask(words), go) << built << absl::StrJoin(words, " ");
  }
  EXPECT_EQ(asked, answers.size());
  EXPECT_GT(steady, asked * 8 / 10);
  std::cout << steady << " of " << asked << " questions have one answer in Go\n";
}

}  // namespace
}  // namespace kube::restmapper
