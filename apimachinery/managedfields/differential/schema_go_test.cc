// The schemas that are made of field tables must be those that API servers make of their OpenAPI
// documents, kind by kind.

#include <array>
#include <iostream>
#include <string>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/all_kinds.h"
#include "apimachinery/managedfields/differential/go_answers.h"
#include "apimachinery/managedfields/differential/schema_comparison.h"
#include "apimachinery/managedfields/table_schema.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/oracle/oracle.h"

namespace kube::managedfields {
namespace {

using testing::IsEmpty;
using unstructured::Value;

// A difference that has a reason, which stands beside it: the kind, or "" for all kinds, and the
// beginning of the text.
struct KnownDifference {
  absl::string_view kind;
  absl::string_view beginning;
};
constexpr std::array<KnownDifference, 0> kKnownDifferences = {};

bool IsKnown(absl::string_view kind, absl::string_view difference) {
  return absl::c_any_of(kKnownDifferences, [&](const KnownDifference& known) {
    return (known.kind.empty() || known.kind == kind) &&
           absl::StartsWith(difference, known.beginning);
  });
}

TEST(SchemaGoTest, EveryKindHasTheSchemaOfAnApiServer) {
  const absl::StatusOr<std::vector<Value>> answers = AskGo(std::vector<Question>{{"schemas", ""}});
  if (oracle::PrintSkipped(answers.status())) GTEST_SKIP();
  ASSERT_TRUE(answers.ok()) << answers.status();
  const Value& sources = (*answers->front().list())[0];
  const Value& kinds = (*answers->front().list())[1];
  int compared = 0;
  for (const KindInfo* kind : api::AllKinds()) {
    const std::string name =
        absl::StrCat(kind->group, kind->group.empty() ? "" : "/", kind->version, " ", kind->kind);
    const Value* type = kinds.Find(name);
    // Lists, and kinds that are only sent or received, have no schema in Go.
    if (type == nullptr) continue;
    ++compared;
    const absl::string_view source = *(*type->list())[0].text();
    const absl::string_view root = *(*type->list())[1].text();
    std::vector<std::string> differences =
        SchemaDifferences(SchemaOf(*kind->message), sources[source], root);
    std::erase_if(differences,
                  [&](const std::string& difference) { return IsKnown(name, difference); });
    EXPECT_THAT(differences, IsEmpty()) << name;
  }
  std::cout << compared << " kinds\n";
  EXPECT_GT(compared, 90);
}

}  // namespace
}  // namespace kube::managedfields
