#include "controller/cache/required_access.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

TEST(AccessLedgerTest, Add_EqualButForVerbs_IsOneEntryWithAllVerbs) {
  AccessLedger ledger;
  ledger.Add({.resource = "pods", .verbs = {"watch", "list"}, .namespaces = {"b", "a"}});
  ledger.Add({.resource = "pods", .verbs = {"list", "get"}, .namespaces = {"a", "b", "a"}});
  EXPECT_THAT(ledger.Get(), ElementsAre(RequiredAccess{.resource = "pods",
                                                       .verbs = {"get", "list", "watch"},
                                                       .namespaces = {"a", "b"}}));
}

TEST(AccessLedgerTest, Add_AnythingElseDiffers_IsAnEntryOfItsOwn) {
  AccessLedger ledger;
  const RequiredAccess kRows[] = {
      {.resource = "pods", .verbs = {"get"}},
      {.group = "metrics.k8s.io", .resource = "pods", .verbs = {"get"}},
      {.resource = "pods/status", .verbs = {"get"}},
      {.resource = "pods", .verbs = {"get"}, .names = {"web"}},
      {.resource = "pods", .verbs = {"get"}, .namespaces = {"default"}},
      {.verbs = {"get"}, .urls = {"/metrics"}},
      {.resource = "pods", .verbs = {"get"}, .purpose = AccessPurpose::kMetrics},
  };
  for (const RequiredAccess& row : kRows) ledger.Add(row);
  EXPECT_THAT(ledger.Get(), testing::ElementsAreArray(kRows));
}

TEST(AccessLedgerTest, Add_AnEmptyNamespaceOrName_MeansAll) {
  AccessLedger ledger;
  ledger.Add({.resource = "pods", .verbs = {"get"}, .names = {""}, .namespaces = {"a", ""}});
  ASSERT_THAT(ledger.Get(), SizeIs(1));
  EXPECT_THAT(ledger.Get()[0].namespaces, IsEmpty());
  EXPECT_THAT(ledger.Get()[0].names, IsEmpty());
}

TEST(AccessLedgerTest, Add_MoreThanTheMaximum_IsDropped) {
  AccessLedger ledger;
  for (size_t i = 0; i < AccessLedger::kMaxEntries + 10; ++i) {
    ledger.Add({.resource = "pods", .verbs = {"get"}, .namespaces = {absl::StrCat("n", i)}});
  }
  EXPECT_THAT(ledger.Get(), SizeIs(AccessLedger::kMaxEntries));
}

}  // namespace
}  // namespace kube::controller
