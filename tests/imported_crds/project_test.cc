// The definitions of one project, imported: objects of its kinds are written as they were read, and
// the definitions that are written of the IDL mean what the project's do. Built once a project, by
// projects.bzl; where the project's Go module cannot be had, the test is skipped.

#include <cstdint>
#include <iostream>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/apiextensions/v1/types.kube.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/codec/any_object.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/crd_schema/structural.h"
#include "apimachinery/crd_schema/value_validation.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "codegen/crd_import/testing/definition_diff.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/imported_crds/definitions_of_project.h"
#include "tests/imported_crds/kinds_of_project.h"
#include "tests/imported_crds/random_object.h"
#include "tests/oracle/oracle.h"

namespace kube::imported {
namespace {

using api::apiextensions::v1::CustomResourceDefinition;
using base::IsOk;
using testing::IsEmpty;
using unstructured::Value;

// So many objects of a kind are valid, unless that takes too many tries: of some schemas few random
// objects are.
constexpr int kObjectsOfAKind = 200;
constexpr int kMaxTries = 1000;
constexpr uint64_t kSeed = 20260;

class ProjectTest : public testing::Test {
 protected:
  // Reads the project's definitions.
  void SetUp() override {
    absl::StatusOr<Definitions> definitions = DefinitionsOfProject(NameOfProject());
    if (oracle::PrintSkipped(definitions.status())) GTEST_SKIP();
    ASSERT_THAT(definitions, IsOk());
    definitions_ = *std::move(definitions);
  }

  Definitions definitions_;
};

// Checks objects of one kind, and counts those that are valid.
void CheckObjects(const KindInfo& kind, const api::apiextensions::v1::JSONSchemaProps& props,
                  int& valid) {
  const absl::StatusOr<Value> schema =
      unstructured::ParseJson(codec::EncodeJson(props).value_or(""));
  ASSERT_THAT(schema, IsOk());
  const auto structural = crd_schema::Structural::Make(props);
  ASSERT_THAT(structural, IsOk());
  RandomObjects objects(kSeed);
  const std::string api_version = absl::StrCat(kind.group, "/", kind.version);
  for (int i = 0; i < kMaxTries && (i < kObjectsOfAKind || valid < kObjectsOfAKind); ++i) {
    const Value object = objects.Object(*schema->object(), api_version, kind.kind);
    const std::string json = unstructured::EncodeJson(object).value_or("");
    const absl::StatusOr<codec::AnyObject> decoded =
        codec::AnyObject::DecodeJson(kind, absl::string_view(json));
    ASSERT_THAT(decoded, IsOk()) << json;
    const absl::StatusOr<std::string> encoded = decoded->EncodeJson();
    ASSERT_THAT(encoded, IsOk()) << json;
    ASSERT_THAT(codegen::DiffValues(WithoutNulls(unstructured::ParseJson(json).value()),
                                    WithoutNulls(unstructured::ParseJson(*encoded).value())),
                IsEmpty())
        << json << "\n"
        << *encoded;
    valid += crd_schema::ValidateObject(**structural, *object.object()).empty() ? 1 : 0;
  }
}

TEST_F(ProjectTest, ObjectsAreWrittenAsTheyWereRead) {
  int kinds = 0;
  int kinds_with_all = 0;
  int all_valid = 0;
  for (const absl::Span<const KindInfo> kinds_of_version : KindsOfProject()) {
    for (const KindInfo& kind : kinds_of_version) {
      if (kind.scope == Scope::kNone) continue;
      SCOPED_TRACE(absl::StrCat(kind.group, "/", kind.version, " ", kind.kind));
      const auto* version = FindVersion(definitions_, kind);
      ASSERT_NE(version, nullptr);
      int valid = 0;
      ASSERT_NO_FATAL_FAILURE(CheckObjects(kind, *version->schema->open_api_v3_schema, valid));
      all_valid += valid;
      ++kinds;
      kinds_with_all += valid >= kObjectsOfAKind ? 1 : 0;
    }
  }
  std::cout << NameOfProject() << ": " << all_valid << " objects valid by their schemas, "
            << kObjectsOfAKind << " or more of " << kinds_with_all << " of " << kinds << " kinds"
            << std::endl;
  EXPECT_GT(all_valid, 0);
}

TEST_F(ProjectTest, DefinitionsMeanTheSame) {
  const std::string path = absl::StrCat("tests/imported_crds/", NameOfProject(), "_crds.yaml");
  Definitions written;
  ASSERT_THAT(AddDefinitions(path, written), IsOk());
  EXPECT_EQ(written.size(), definitions_.size());
  const auto value_of = [](const CustomResourceDefinition& definition) {
    return unstructured::ParseJson(codec::EncodeJson(definition).value()).value();
  };
  for (const auto& [name, definition] : definitions_) {
    const auto found = written.find(name);
    ASSERT_NE(found, written.end()) << name;
    EXPECT_THAT(codegen::DiffDefinitions(value_of(definition), value_of(found->second)), IsEmpty())
        << name;
  }
}

}  // namespace
}  // namespace kube::imported
