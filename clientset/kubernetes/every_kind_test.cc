#include "clientset/kubernetes/testing/every_kind.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "api/all_kinds.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/kind_info.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/testing/any_client.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "clientset/typed/resource.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::kubernetes {
namespace {

using testing::IsEmpty;

bool Has(absl::Span<const absl::string_view> verbs, absl::string_view verb) {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

bool HasSubresource(const KindInfo& kind, absl::string_view name, absl::string_view verb) {
  for (const SubresourceInfo& each : kind.subresources) {
    if (each.name == name) return Has(each.verbs, verb);
  }
  return false;
}

bool HasSubresource(const KindInfo& kind, absl::string_view name) {
  return std::any_of(kind.subresources.begin(), kind.subresources.end(),
                     [name](const SubresourceInfo& each) { return each.name == name; });
}

// Returns the kind whose items are objects of `kind`, or null.
const KindInfo* ListOf(const KindInfo& kind, const std::vector<const KindInfo*>& all) {
  for (const KindInfo* each : all) {
    const bool is_list =
        each->list_of == kind.kind && each->group == kind.group && each->version == kind.version;
    if (is_list) return each;
  }
  return nullptr;
}

std::string ApiVersion(absl::string_view group, absl::string_view version) {
  return group.empty() ? std::string(version) : absl::StrCat(group, "/", version);
}

// The requests that the client of a kind must send, according to the list of kinds.
std::map<std::string, std::string> RequestsOf(const KindInfo& kind) {
  const std::string all = absl::StrCat(
      kind.group.empty() ? "/api/" : absl::StrCat("/apis/", kind.group, "/"), kind.version,
      kind.scope == Scope::kNamespaced ? absl::StrCat("/namespaces/", kNamespace) : "", "/",
      kind.plural);
  const std::string one = absl::StrCat(all, "/", kName);
  const std::map<std::string, std::string> of_verbs = {
      {"get", absl::StrCat("GET ", one)},       {"list", absl::StrCat("GET ", all)},
      {"create", absl::StrCat("POST ", all)},   {"update", absl::StrCat("PUT ", one)},
      {"patch", absl::StrCat("PATCH ", one)},   {"watch", absl::StrCat("GET ", all, "?watch=true")},
      {"delete", absl::StrCat("DELETE ", one)}, {"deletecollection", absl::StrCat("DELETE ", all)}};
  std::map<std::string, std::string> requests;
  for (const auto& [verb, request] : of_verbs) {
    if (Has(kind.verbs, verb)) requests[verb] = request;
  }
  if (HasSubresource(kind, "status", "update")) {
    requests["update status"] = absl::StrCat("PUT ", one, "/status");
  }
  if (HasSubresource(kind, "status", "patch")) {
    requests["patch status"] = absl::StrCat("PATCH ", one, "/status");
  }
  if (HasSubresource(kind, "scale", "get")) {
    requests["get scale"] = absl::StrCat("GET ", one, "/scale");
    requests["update scale"] = absl::StrCat("PUT ", one, "/scale");
  }
  return requests;
}

// The requests that the client of a kind sends. All answers are errors, because only the requests
// matter.
std::map<std::string, std::string> SentBy(const KindCase& kind) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::StatusReply(404, "NotFound", "there is none"));
  const std::unique_ptr<AnyClient> client =
      kind.make(Clientset(rest::MakeScriptedClient(transport)));
  std::map<std::string, std::string> requests;
  for (const absl::string_view verb : client->verbs()) {
    EXPECT_FALSE(client->Call(Context(), verb).ok());
    const rest::RecordedRequest last = transport->requests().back();
    const bool watches = last.Param("watch") == "true";
    requests[std::string(verb)] =
        absl::StrCat(last.method, " ", last.path, watches ? "?watch=true" : "");
  }
  return requests;
}

TEST(EveryKind, SendsWhatItsVerbsSayAndHasNoOthers) {
  for (const KindCase& each : EveryKind()) {
    SCOPED_TRACE(absl::StrCat(each.group, "().", each.accessor));
    const KindInfo* kind =
        api::FindKind(ApiVersion(each.resource.group, each.resource.version), each.resource.kind);
    ASSERT_NE(kind, nullptr);
    EXPECT_EQ(SentBy(each), RequestsOf(*kind));
    const typed::Resource resource = typed::ResourceOf(*kind);
    EXPECT_EQ(each.resource.plural, resource.plural);
    EXPECT_EQ(each.resource.namespaced, resource.namespaced);
    EXPECT_EQ(each.resource.built_in, resource.built_in);
  }
}

// tests/every_kind compares the rest, has_generation, with a server.
TEST(EveryKind, HasTheTraitsThatTheListOfKindsSays) {
  const std::vector<const KindInfo*> all = api::AllKinds();
  size_t count = 0;
  for (const KindCase& each : EveryKind()) {
    SCOPED_TRACE(absl::StrCat(each.group, "().", each.accessor));
    const KindInfo* kind =
        api::FindKind(ApiVersion(each.resource.group, each.resource.version), each.resource.kind);
    ASSERT_NE(kind, nullptr);
    const KindInfo* list = ListOf(*kind, all);
    ASSERT_EQ(each.traits.has_value(), list != nullptr && Has(kind->verbs, "list"));
    if (!each.traits.has_value()) continue;
    ++count;
    const typed::Resource expected = typed::ResourceOf(*kind);
    EXPECT_EQ(each.traits->resource.group, expected.group);
    EXPECT_EQ(each.traits->resource.version, expected.version);
    EXPECT_EQ(each.traits->resource.plural, expected.plural);
    EXPECT_EQ(each.traits->resource.kind, expected.kind);
    EXPECT_EQ(each.traits->resource.namespaced, expected.namespaced);
    EXPECT_EQ(each.traits->resource.built_in, expected.built_in);
    EXPECT_EQ(each.traits->list, list->message);
    EXPECT_EQ(each.traits->has_status, HasSubresource(*kind, "status"));
  }
  EXPECT_GT(count, 120u);
}

TEST(EveryKind, IsThere) {
  std::set<std::string> missing;
  for (const KindInfo* kind : api::AllKinds()) {
    if (kind->scope == Scope::kNone) continue;
    missing.insert(absl::StrCat(ApiVersion(kind->group, kind->version), " ", kind->kind));
  }
  EXPECT_GT(missing.size(), 150u);
  for (const KindCase& each : EveryKind()) {
    const typed::Resource& resource = each.resource;
    missing.erase(absl::StrCat(ApiVersion(resource.group, resource.version), " ", resource.kind));
  }
  EXPECT_THAT(missing, IsEmpty());
}

}  // namespace
}  // namespace kube::kubernetes
