#include "informers/kubernetes/testing/every_informer.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/all_kinds.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/any_shared_informer.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "informers/kubernetes/testing/informer_case.h"

namespace kube::kubernetes {
namespace {

using base::IsOk;
using testing::IsEmpty;

std::string ApiVersion(absl::string_view group, absl::string_view version) {
  return group.empty() ? std::string(version) : absl::StrCat(group, "/", version);
}

bool Has(absl::Span<const absl::string_view> verbs, absl::string_view verb) {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

TEST(EveryInformer, IsOfAKindThatCanBeListedAndWatchedAndAllHaveOne) {
  std::set<std::string> wanted, got;
  for (const KindInfo* kind : api::AllKinds()) {
    if (kind->scope == Scope::kNone || !Has(kind->verbs, "list") || !Has(kind->verbs, "watch")) {
      continue;
    }
    wanted.insert(absl::StrCat(ApiVersion(kind->group, kind->version), " ", kind->kind));
  }
  for (const InformerCase& each : EveryInformer()) {
    got.insert(absl::StrCat(each.api_version, " ", each.kind));
  }
  EXPECT_EQ(got, wanted);
  EXPECT_GT(got.size(), 130u);
}

// What its first request asks for.
std::string FirstRequestOf(const InformerCase& kind) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, {.hang = true});
  SharedInformerFactory factory(rest::MakeScriptedClient(transport));
  const informers::AnySharedInformer& informer = kind.informer(factory);
  EXPECT_THAT(factory.Start(Context()), IsOk());
  EXPECT_THAT(transport->WaitForRequests(Context(), 1), IsOk());
  EXPECT_EQ(&informer, &kind.informer(factory));
  factory.Shutdown();
  return transport->requests().at(0).path;
}

TEST(EveryInformer, AsksForItsResourceInAllNamespaces) {
  for (const InformerCase& each : EveryInformer()) {
    SCOPED_TRACE(each.accessor);
    const KindInfo* kind = api::FindKind(each.api_version, each.kind);
    ASSERT_NE(kind, nullptr);
    EXPECT_EQ(FirstRequestOf(each),
              absl::StrCat(kind->group.empty() ? "/api/" : absl::StrCat("/apis/", kind->group, "/"),
                           kind->version, "/", kind->plural));
  }
}

TEST(EveryInformer, HasAListerWhoseErrorsNameItsResource) {
  SharedInformerFactory factory(
      rest::MakeScriptedClient(std::make_shared<rest::ScriptedTransport>()));
  for (const InformerCase& each : EveryInformer()) {
    const KindInfo* kind = api::FindKind(each.api_version, each.kind);
    ASSERT_NE(kind, nullptr);
    const absl::Status status = each.get(factory, "prod", "web");
    EXPECT_TRUE(errors::IsNotFound(status)) << each.accessor << ": " << status;
    EXPECT_EQ(std::string(status.message()),
              absl::StrCat(kind->plural, kind->group.empty() ? "" : ".", kind->group,
                           " \"web\" not found"));
  }
  EXPECT_EQ(factory.Informers().size(), EveryInformer().size());
}

}  // namespace
}  // namespace kube::kubernetes
