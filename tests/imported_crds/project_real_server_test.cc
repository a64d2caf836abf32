// The definitions of one project on the server of KUBECONFIG (tests/real_server/run): it answers
// random objects as it answers what the C++ types make of them, and it stores the definitions that
// are written of the IDL as it stores the project's. Built once a project, by projects.bzl; where
// the project's Go module cannot be had, the test is skipped.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "api/apiextensions/v1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/errors/status_error.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/map.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "clientset/rest/client.h"
#include "clientset/rest/request.h"
#include "codegen/crd_import/testing/definition_diff.h"
#include "envtest/crds.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/imported_crds/definitions_of_project.h"
#include "tests/imported_crds/kinds_of_project.h"
#include "tests/imported_crds/random_object.h"
#include "tests/integration/real_server.h"
#include "tests/oracle/oracle.h"

namespace kube::imported {
namespace {

using base::IsOk;
using testing::IsEmpty;
using unstructured::Value;

constexpr int kObjectsOfAKind = 20;
constexpr uint64_t kSeed = 31;
constexpr absl::Duration kUntilServed = absl::Minutes(1);

// Removes what is filled in when a chart is rendered, and is not valid before.
void DropTemplates(Map<String>& texts) {
  std::vector<std::string> templates;
  for (const auto& [name, text] : texts) {
    if (absl::StrContains(text.view(), "{{")) templates.emplace_back(name);
  }
  for (const std::string& name : templates) texts.erase(name);
}

// What a server says to an object that is to be created.
struct Answer {
  bool is_accepted = false;
  // What it would store, without metadata.
  Value stored = {};
  // Its errors, sorted: Go's maps have no order.
  std::vector<std::string> errors = {};
};

std::vector<std::string> ErrorsOf(const api::meta::v1::Status& status) {
  std::vector<std::string> errors;
  if (status.details) {
    for (const auto& cause : status.details->causes) {
      errors.push_back(
          absl::StrCat(cause.reason.view(), " ", cause.field.view(), ": ", cause.message.view()));
    }
  }
  if (errors.empty()) {
    errors.push_back(absl::StrCat(status.reason.view(), ": ", status.message.view()));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

class RealServerTest : public testing::Test {
 protected:
  // Reads the project's definitions.
  void SetUp() override {
    absl::StatusOr<Definitions> definitions = DefinitionsOfProject(NameOfProject());
    if (oracle::PrintSkipped(definitions.status())) GTEST_SKIP();
    ASSERT_THAT(definitions, IsOk());
    for (auto& [name, definition] : *definitions) {
      DropTemplates(definition.metadata.annotations);
      DropTemplates(definition.metadata.labels);
    }
    definitions_ = *std::move(definitions);
  }

  // Other tests on this server have no use for these kinds.
  void TearDown() override {
    if (definitions_.empty()) return;
    EXPECT_THAT(envtest::UninstallCrds(integration::Soon(), client_, AsList(definitions_)), IsOk());
    const auto are_gone = [&](const Context& ctx) -> absl::StatusOr<bool> {
      for (const auto& [name, definition] : definitions_) {
        const absl::Status found = Stored(ctx, name).status();
        if (found.ok()) return false;
        if (!errors::IsNotFound(found)) return found;
      }
      return true;
    };
    EXPECT_THAT(base::PollUntil(integration::Soon(), absl::Milliseconds(100),
                                base::FirstPoll::kAtOnce, are_gone),
                IsOk());
  }

  static envtest::CustomResourceDefinitions AsList(const Definitions& definitions) {
    envtest::CustomResourceDefinitions list;
    for (const auto& [name, definition] : definitions) list.push_back(definition);
    return list;
  }

  void Install(const Definitions& definitions) {
    ASSERT_THAT(envtest::InstallCrds(WithTimeout(Context(), absl::Minutes(2)), client_,
                                     {.definitions = AsList(definitions), .timeout = kUntilServed}),
                IsOk());
  }

  // Returns a definition as the server has stored it.
  absl::StatusOr<Value> Stored(const Context& ctx, const std::string& name) const {
    const absl::StatusOr<rest::Result> result =
        client_.Do(ctx, {.resource = {"apiextensions.k8s.io", "v1", "customresourcedefinitions"},
                         .name = name,
                         .accept = "application/json"});
    if (!result.ok()) return result.status();
    return unstructured::ParseJson(result->body);
  }

  // Returns what the server says to an object, of which it stores nothing.
  absl::StatusOr<Answer> Ask(const KindInfo& kind, const std::string& json) const {
    rest::Request request = {
        .verb = "POST",
        .resource = {std::string(kind.group), std::string(kind.version), std::string(kind.plural)},
        .params = {{"dryRun", {"All"}}},
        .body = std::make_shared<const std::string>(json),
        .content_type = "application/json",
        .accept = "application/json"};
    if (kind.scope == Scope::kNamespaced) request.namespace_name = namespace_;
    const absl::StatusOr<rest::Result> result = client_.Do(integration::Soon(), request);
    Answer answer;
    if (!result.ok()) {
      const std::optional<api::meta::v1::Status> status = errors::StatusOf(result.status());
      if (!status.has_value()) return result.status();
      answer.errors = ErrorsOf(*status);
      return answer;
    }
    absl::StatusOr<Value> stored = unstructured::ParseJson(result->body);
    if (!stored.ok()) return stored.status();
    if (!stored->is_object()) return absl::InternalError("the answer is not an object");
    stored->object()->erase("metadata");
    answer.is_accepted = true;
    answer.stored = WithoutNulls(*stored);
    return answer;
  }

  void CompareAnswers(const KindInfo& kind, const Value& schema, int& accepted) const {
    RandomObjects objects(kSeed);
    const std::string api_version = absl::StrCat(kind.group, "/", kind.version);
    for (int i = 0; i < kObjectsOfAKind; ++i) {
      const Value object = objects.Object(*schema.object(), api_version, kind.kind);
      const std::string before = unstructured::EncodeJson(object).value_or("");
      const absl::StatusOr<codec::AnyObject> decoded =
          codec::AnyObject::DecodeJson(kind, absl::string_view(before));
      ASSERT_THAT(decoded, IsOk()) << before;
      const std::string after = decoded->EncodeJson().value_or("");
      const absl::StatusOr<Answer> wanted = Ask(kind, before);
      const absl::StatusOr<Answer> found = Ask(kind, after);
      ASSERT_THAT(wanted, IsOk()) << before;
      ASSERT_THAT(found, IsOk()) << after;
      ASSERT_EQ(wanted->errors, found->errors) << before << "\n" << after;
      ASSERT_EQ(wanted->is_accepted, found->is_accepted) << before << "\n" << after;
      ASSERT_THAT(codegen::DiffValues(wanted->stored, found->stored), IsEmpty()) << before << "\n"
                                                                                 << after;
      accepted += wanted->is_accepted ? 1 : 0;
    }
  }

  const rest::Client client_ = integration::ClientOf(integration::ConfigOf());
  const std::string namespace_ = integration::MakeNamespace(client_);
  Definitions definitions_;
};

TEST_F(RealServerTest, AnswersAreTheSame) {
  // There are no webhooks that convert objects between versions.
  Definitions installed = definitions_;
  for (auto& [name, definition] : installed) definition.spec.conversion.reset();
  ASSERT_NO_FATAL_FAILURE(Install(installed));
  int asked = 0;
  int accepted = 0;
  for (const absl::Span<const KindInfo> kinds : KindsOfProject()) {
    for (const KindInfo& kind : kinds) {
      if (kind.scope == Scope::kNone) continue;
      SCOPED_TRACE(absl::StrCat(kind.group, "/", kind.version, " ", kind.kind));
      const auto* version = FindVersion(definitions_, kind);
      ASSERT_NE(version, nullptr);
      if (!version->served) continue;
      const absl::StatusOr<Value> schema = unstructured::ParseJson(
          codec::EncodeJson(*version->schema->open_api_v3_schema).value_or(""));
      ASSERT_THAT(schema, IsOk());
      ASSERT_NO_FATAL_FAILURE(CompareAnswers(kind, *schema, accepted));
      asked += kObjectsOfAKind;
    }
  }
  std::cout << NameOfProject() << ": " << accepted << " of " << asked << " objects are accepted"
            << std::endl;
  EXPECT_GT(accepted, 0);
}

TEST_F(RealServerTest, DefinitionsAreStoredWithTheSameMeaning) {
  Definitions written;
  ASSERT_THAT(
      AddDefinitions(absl::StrCat("tests/imported_crds/", NameOfProject(), "_crds.yaml"), written),
      IsOk());
  ASSERT_NO_FATAL_FAILURE(Install(definitions_));
  std::vector<Value> before;
  for (const auto& [name, definition] : definitions_) {
    const absl::StatusOr<Value> stored = Stored(integration::Soon(), name);
    ASSERT_THAT(stored, IsOk()) << name;
    before.push_back(*stored);
  }
  ASSERT_NO_FATAL_FAILURE(Install(written));
  size_t next = 0;
  for (const auto& [name, definition] : definitions_) {
    const absl::StatusOr<Value> stored = Stored(integration::Soon(), name);
    ASSERT_THAT(stored, IsOk()) << name;
    EXPECT_THAT(codegen::DiffDefinitions(before[next++], *stored), IsEmpty()) << name;
  }
}

}  // namespace
}  // namespace kube::imported
