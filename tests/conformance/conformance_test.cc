// Runs the behaviours of behaviours/*.txt; the others are in the files beside this one.
#include <algorithm>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "gtest/gtest.h"
#include "net/http/headers.h"
#include "tests/conformance/expected_differences.h"
#include "tests/conformance/pattern.h"
#include "tests/conformance/releases.h"
#include "tests/conformance/script.h"
#include "tests/conformance/server_under_test.h"

namespace kube::conformance {
namespace {

using unstructured::Value;

constexpr const char* kFiles[] = {
    "objects",        "deletion",     "namespaces",         "patches",
    "lists",          "options",      "validation",         "defaults",
    "subresources",   "media_types",  "discovery",          "access",
    "paths",          "watches",      "collection",         "tables",
    "custom_objects", "custom_parts", "custom_definitions", "updates",
    "services",       "events",       "apply_conflicts",    "apply",
    "apply_custom",   "apply_parts",  "apply_merging",      "managed_fields",
    "authorization",  "custom_rules", "webhooks",           "accounts",
    "policies"};

// The group in definitions.yaml.
constexpr absl::string_view kGroup = "conformance.example.com";

// How long a step is repeated until its answer is as expected.
constexpr absl::Duration kEventually = absl::Seconds(30);

struct Row {
  std::string file;
  Behaviour behaviour;

  // For GoogleTest's messages.
  friend std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.file << ":" << row.behaviour.line;
  }
};

// Whether the server that there is can be asked. (On a real one, each variant has its own.)
bool IsOfVariant(const Behaviour& behaviour) {
  if (!ServerUnderTest::is_real()) return true;
  return ServerUnderTest::variant() == (behaviour.needs_controllers ? "also_with_controllers" : "");
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<Row> AllRows() {
  std::vector<Row> rows;
  for (const char* name : kFiles) {
    const std::string path = absl::StrCat("tests/conformance/behaviours/", name, ".txt");
    absl::StatusOr<std::vector<Behaviour>> behaviours = ParseScript(ReadFile(path));
    KUBE_CHECK(behaviours.ok() && !behaviours->empty()) << path << ": " << behaviours.status();
    for (Behaviour& each : *behaviours) {
      if (IsOfVariant(each)) rows.push_back({path, std::move(each)});
    }
  }
  return rows;
}

// "A created object has a UID" as a name for GoogleTest.
std::string NameOf(const ::testing::TestParamInfo<Row>& info) {
  std::string name = info.param.behaviour.name;
  for (char& c : name) {
    if (!absl::ascii_isalnum(c)) c = '_';
  }
  return name;
}

// The behaviours that servers of some releases have. On others they are tried, and have to fail.
const std::vector<ReleaseRow>& ReleaseRows() {
  static const auto* const rows = [] {
    const std::string path = "tests/real_server/releases.txt";
    absl::StatusOr<std::vector<ReleaseRow>> all = ParseReleases(ReadFile(path));
    KUBE_CHECK(all.ok() && !all->empty()) << path << ": " << all.status();
    auto behaviours = std::make_unique<std::vector<ReleaseRow>>();
    for (ReleaseRow& each : *all) {
      if (each.kind == "behaviour") behaviours->push_back(std::move(each));
    }
    return behaviours.release();
  }();
  return *rows;
}

// Why the server does not have the behaviour, and where that is written.
struct Difference {
  std::string reason;
  absl::string_view table;
};

std::optional<Difference> DifferenceOf(absl::string_view behaviour) {
  if (ServerUnderTest::is_real()) {
    const int minor = ServerUnderTest::Get().minor();
    for (const ReleaseRow& each : ReleaseRows()) {
      if (each.name == behaviour && !each.Covers(minor)) {
        return Difference{each.reason, "tests/real_server/releases.txt"};
      }
    }
    return std::nullopt;
  }
  for (const ExpectedDifference& each : kExpectedDifferences) {
    if (each.behaviour == behaviour) {
      return Difference{std::string(each.reason), "expected_differences.h"};
    }
  }
  return std::nullopt;
}

const Value* At(const Value& value, absl::string_view path) {
  const Value* at = &value;
  for (absl::string_view key : absl::StrSplit(path, '.')) {
    if (at == nullptr) return nullptr;
    size_t index = 0;
    if (at->is_list() && absl::SimpleAtoi(key, &index)) {
      at = index < at->list()->size() ? &(*at->list())[index] : nullptr;
    } else {
      at = at->Find(key);
    }
  }
  return at;
}

// A text as it is, anything else as JSON.
std::string TextOf(const Value& value) {
  if (const auto text = value.text()) return std::string(*text);
  const absl::StatusOr<std::string> json = unstructured::EncodeJson(value);
  return json.ok() ? *json : "";
}

// Does the steps of one behaviour.
class Play {
 public:
  Play(ServerUnderTest& server, const Behaviour& behaviour) : server_(server) {
    if (behaviour.needs_definitions) server.InstallDefinitions();
    const std::string name = server.MakeNamespace();
    const std::string core = absl::StrCat("/api/v1/namespaces/", name);
    variables_ = {
        {"${NS}", name},
        {"${core}", core},
        {"${maps}", core + "/configmaps"},
        {"${pods}", core + "/pods"},
        {"${services}", core + "/services"},
        {"${apps}", absl::StrCat("/apis/apps/v1/namespaces/", name)},
        {"${batch}", absl::StrCat("/apis/batch/v1/namespaces/", name)},
        {"${rbac}", absl::StrCat("/apis/rbac.authorization.k8s.io/v1/namespaces/", name)},
        {"${crds}", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"},
        {"${custom}", absl::StrCat("/apis/", kGroup, "/v1/namespaces/", name)},
        {"${beta}", absl::StrCat("/apis/", kGroup, "/v1beta1/namespaces/", name)},
        {"${gadgets}", absl::StrCat("/apis/", kGroup, "/v1/gadgets")},
        {"${Widget}", absl::StrCat(R"("apiVersion":")", kGroup, R"(/v1","kind":"Widget")")},
        {"${Gadget}", absl::StrCat(R"("apiVersion":")", kGroup, R"(/v1","kind":"Gadget")")},
        {"${Sprocket}", absl::StrCat(R"("apiVersion":")", kGroup, R"(/v1","kind":"Sprocket")")},
        {"${Lever}", absl::StrCat(R"("apiVersion":")", kGroup, R"(/v1","kind":"Lever")")},
        {"${Map}", R"("apiVersion":"v1","kind":"ConfigMap")"},
        {"${Deployment}", R"("apiVersion":"apps/v1","kind":"Deployment")"}};
  }

  // What is wrong with the answer.
  std::vector<std::string> Do(const Step& step) {
    const Context waiting = WithTimeout(Context(), kEventually);
    while (true) {
      wrong_.clear();
      const HttpAnswer answer = Send(step);
      Check(step, answer);
      const bool again = !wrong_.empty() && step.eventually;
      if (!again || !base::SleepFor(waiting, absl::Milliseconds(50)).ok()) {
        Save(step, answer);
        return wrong_;
      }
    }
  }

 private:
  std::string Filled(const std::string& text) const {
    return absl::StrReplaceAll(text, variables_);
  }

  HttpAnswer Send(const Step& step) const {
    http::Headers headers = {{"authorization", "Bearer admin-token"}};
    const bool apply = step.method == "APPLY";
    if (apply) {
      headers.Set("content-type", "application/apply-patch+yaml");
    } else if (!step.body.empty()) {
      const bool patch = step.method == "PATCH";
      headers.Set("content-type", patch ? "application/merge-patch+json" : "application/json");
    }
    for (const auto& [name, value] : step.headers) {
      headers.Remove(name);
      if (value != "-") headers.Set(name, Filled(value));
    }
    return server_.Send(apply ? "PATCH" : step.method, Filled(step.target), headers,
                        Filled(step.body), step.lines);
  }

  void Check(const Step& step, const HttpAnswer& answer) {
    if (answer.status != step.code) {
      wrong_.push_back(absl::StrCat("expected ", step.code, ", is ", answer.status, ": ",
                                    absl::string_view(answer.body).substr(0, 1000)));
      return;
    }
    for (const auto& [name, value] : step.expected_headers)
      CheckHeader(name, Filled(value), answer);
    if (step.expected.empty()) return;
    const std::string expected = Filled(step.expected);
    if (step.lines > 0) return CheckLines(expected, answer.body);
    if (expected[0] == '{' || expected[0] == '[') {
      return CheckJson(expected, answer.body, step.exactly);
    }
    if (!MatchesText(expected, absl::StripSuffix(answer.body, "\n"))) {
      wrong_.push_back(absl::StrCat("expected ", expected, ", is ", answer.body));
    }
  }

  void CheckHeader(const std::string& name, const std::string& expected, const HttpAnswer& answer) {
    const std::vector<absl::string_view> values = answer.headers.GetAll(name);
    bool found = expected == "$absent" && values.empty();
    for (absl::string_view value : values) found |= MatchesText(expected, value);
    if (!found) {
      wrong_.push_back(absl::StrCat("header ", name, ": expected ", expected, ", is ",
                                    absl::StrJoin(values, "; ")));
    }
  }

  void CheckLines(absl::string_view expected, absl::string_view body) {
    const std::vector<absl::string_view> patterns = absl::StrSplit(expected, '\n');
    const std::vector<absl::string_view> lines =
        absl::StrSplit(absl::StripSuffix(body, "\n"), '\n');
    if (lines.size() < patterns.size()) {
      wrong_.push_back(absl::StrCat("expected ", patterns.size(), " lines, is ", body));
      return;
    }
    for (size_t i = 0; i < patterns.size(); ++i) CheckJson(patterns[i], lines[i], false);
  }

  void CheckJson(absl::string_view expected, absl::string_view body, bool exactly) {
    const absl::StatusOr<Value> pattern = unstructured::ParseJson(expected);
    KUBE_CHECK(pattern.ok()) << pattern.status() << "\n" << std::string(expected);
    const absl::StatusOr<Value> actual = unstructured::ParseJson(body);
    if (!actual.ok()) {
      wrong_.push_back(absl::StrCat(actual.status().message(), ": ", body.substr(0, 1000)));
      return;
    }
    const Value* const kind = pattern->Find("kind");
    // Clients decide by a Status what to do: all of it matters.
    const bool is_status = kind != nullptr && kind->text() == "Status";
    for (std::string& each : Mismatches(*pattern, *actual, exactly || is_status)) {
      wrong_.push_back(std::move(each));
    }
  }

  void Save(const Step& step, const HttpAnswer& answer) {
    if (step.saves.empty()) return;
    const absl::StatusOr<Value> value = unstructured::ParseJson(answer.body);
    for (const auto& [name, path] : step.saves) {
      const Value* const at = value.ok() ? At(*value, path) : nullptr;
      variables_[absl::StrCat("${", name, "}")] = at == nullptr ? "" : TextOf(*at);
    }
  }

  const ServerUnderTest& server_;
  std::map<std::string, std::string> variables_;
  std::vector<std::string> wrong_;
};

class BehaviourTest : public ::testing::TestWithParam<Row> {};

TEST_P(BehaviourTest, IsSo) {
  const Behaviour& behaviour = GetParam().behaviour;
  ServerUnderTest& server =
      behaviour.needs_controllers ? ServerUnderTest::WithControllers() : ServerUnderTest::Get();
  const std::optional<Difference> difference = DifferenceOf(behaviour.name);
  Play play(server, behaviour);
  bool differs = false;
  for (const Step& step : behaviour.steps) {
    const std::vector<std::string> wrong = play.Do(step);
    differs |= !wrong.empty();
    if (wrong.empty() || difference.has_value()) continue;
    ADD_FAILURE() << GetParam().file << ":" << step.line << ": " << step.method << " "
                  << step.target << "\n  " << absl::StrJoin(wrong, "\n  ");
  }
  if (difference.has_value()) {
    EXPECT_TRUE(differs) << "it is so: correct its row of " << difference->table << ": "
                         << difference->reason;
  }
}

// In a variant without any.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BehaviourTest);
INSTANTIATE_TEST_SUITE_P(All, BehaviourTest, ::testing::ValuesIn(AllRows()), NameOf);

// Checks the table of differences, and says at the end what the numbers of GoogleTest do not.
class Summary : public ::testing::Environment {
 public:
  void SetUp() override {
    if (ServerUnderTest::is_real()) return;
    std::vector<std::string> names;
    for (const Row& row : AllRows()) names.push_back(row.behaviour.name);
    for (const ExpectedDifference& each : kExpectedDifferences) {
      EXPECT_EQ(std::count(names.begin(), names.end(), each.behaviour), 1)
          << "no such behaviour: " << each.behaviour;
    }
    for (const ReleaseRow& each : ReleaseRows()) {
      EXPECT_EQ(std::count(names.begin(), names.end(), each.name), 1)
          << "no such behaviour: " << each.name;
    }
  }

  void TearDown() override {
    const ::testing::UnitTest& all = *::testing::UnitTest::GetInstance();
    const bool real = ServerUnderTest::is_real();
    const std::vector<std::string> differences = Differences();
    std::cout << "Conformance of the " << (real ? "real" : "embedded")
              << " server: " << all.test_to_run_count() << " behaviours, "
              << all.failed_test_count() << " failed, " << all.skipped_test_count() << " skipped, "
              << differences.size() << " expected differences\n";
    for (const std::string& each : differences) std::cout << "  " << each << "\n";
  }

 private:
  static std::vector<std::string> Differences() {
    std::vector<std::string> differences;
    for (const Row& row : AllRows()) {
      const std::optional<Difference> difference = DifferenceOf(row.behaviour.name);
      if (!difference.has_value()) continue;
      differences.push_back(absl::StrCat(row.behaviour.name, ": ", difference->reason));
    }
    return differences;
  }
};

const ::testing::Environment* const kSummary =
    ::testing::AddGlobalTestEnvironment(std::make_unique<Summary>().release());

}  // namespace
}  // namespace kube::conformance
