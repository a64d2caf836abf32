#include "tests/kitchen_sink/crds/check_rows.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/mutex.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/map.h"
#include "apimachinery/unstructured/testing/at.h"
#include "apimachinery/unstructured/unstructured.h"
#include "apimachinery/unstructured/unstructured_list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/rest/client.h"
#include "clientset/rest/config.h"
#include "clientset/rest/warnings.h"
#include "clientset/typed/resource.h"
#include "clientset/typed/typed_client.h"
#include "envtest/crds.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/kitchen_sink/crds/rows.h"

namespace kube::kitchen {
namespace {

using base::IsOk;
using ::testing::HasSubstr;
using unstructured::Unstructured;
using unstructured::Value;

using Basins = typed::TypedClient<Unstructured, unstructured::UnstructuredList>;

constexpr typed::Resource kBasins = {
    .group = "kitchen.example.com", .version = "v1", .plural = "basins", .kind = "Basin"};

class Warnings final : public rest::WarningHandler {
 public:
  void HandleWarning(const Context&, const rest::Warning& warning) override {
    base::MutexLock lock(mutex_);
    texts_.push_back(warning.text);
  }
  std::vector<std::string> texts() const {
    base::MutexLock lock(mutex_);
    return texts_;
  }

 private:
  mutable base::Mutex mutex_;
  std::vector<std::string> texts_ ABSL_GUARDED_BY(mutex_);
};

Context Soon() { return WithTimeout(Context(), absl::Minutes(1)); }

Value Parse(absl::string_view json) {
  absl::StatusOr<Value> value = unstructured::ParseJson(json);
  KUBE_CHECK(value.ok()) << value.status() << " " << json;
  return *std::move(value);
}

// Makes unique names for the rows of a table, such as "value-17".
class Table {
 public:
  Table(const rest::Config& config, absl::string_view in_namespace, absl::string_view prefix)
      : client_(Make(config).Namespace(in_namespace)), prefix_(prefix) {}

  absl::StatusOr<Unstructured> Create(absl::string_view rules) {
    Unstructured basin;
    basin.set_name(absl::StrCat(prefix_, "-", ++count_));
    Map<Value> spec;
    spec["rules"] = Parse(rules);
    basin.object["spec"] = std::move(spec);
    return client_.Create(Soon(), basin);
  }
  absl::Status Update(Unstructured basin, absl::string_view rules) const {
    At(basin.object, {"spec", "rules"}) = Parse(rules);
    return client_.Update(Soon(), basin).status();
  }

 private:
  static Basins Make(const rest::Config& config) {
    absl::StatusOr<rest::Client> client = rest::MakeClient(config);
    KUBE_CHECK(client.ok()) << client.status();
    return Basins(*std::move(client), kBasins);
  }

  const Basins client_;
  const std::string prefix_;
  int count_ = 0;
};

void ExpectProblem(const absl::Status& status, absl::string_view problem) {
  if (problem.empty()) {
    EXPECT_THAT(status, IsOk());
    return;
  }
  EXPECT_TRUE(errors::IsInvalid(status)) << status;
  EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(problem)));
}

}  // namespace

std::vector<std::string> InstallKitchenCrds(const rest::Config& config) {
  const auto warnings = std::make_shared<Warnings>();
  rest::Config warning_config = config;
  warning_config.warning_handler = warnings;
  const absl::StatusOr<rest::Client> client = rest::MakeClient(warning_config);
  KUBE_CHECK(client.ok()) << client.status();
  EXPECT_THAT(
      envtest::InstallCrds(Soon(), *client,
                           {.paths = {kKitchenCrds, kPotCrds}, .timeout = absl::Seconds(30)}),
      IsOk());
  return warnings->texts();
}

void CheckRows(const rest::Config& config, absl::string_view in_namespace) {
  Table values(config, in_namespace, "value");
  for (const ValueRow& row : ValueRows()) {
    SCOPED_TRACE(row.name);
    ExpectProblem(values.Create(row.rules).status(), row.problem);
  }
  Table results(config, in_namespace, "result");
  for (const ResultRow& row : ResultRows()) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<Unstructured> stored = results.Create(row.rules);
    ASSERT_THAT(stored, IsOk());
    const Value* const spec = stored->object.find("spec");
    ASSERT_NE(spec, nullptr);
    const Value* const rules = spec->Find("rules");
    ASSERT_NE(rules, nullptr);
    const Value want = Parse(row.stored);
    for (const auto& [key, member] : *want.object()) {
      const Value* const is = rules->Find(key.view());
      EXPECT_EQ(is == nullptr ? Value("<absent>") : *is, member) << key;
    }
  }
}

void CheckCelRows(const rest::Config& config, absl::string_view in_namespace) {
  Table table(config, in_namespace, "cel");
  for (const CelRow& row : CelRows()) {
    SCOPED_TRACE(row.name);
    const absl::StatusOr<Unstructured> created = table.Create(row.before);
    if (*row.after == '\0') {
      ExpectProblem(created.status(), row.problem);
    } else {
      ASSERT_THAT(created, IsOk());
      ExpectProblem(table.Update(*created, row.after), row.problem);
    }
  }
}

}  // namespace kube::kitchen
