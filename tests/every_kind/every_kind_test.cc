// Every kind that a server has, with every verb that it has, through the typed clients: an object's
// life from its creation to its end. On the embedded server; with KUBECONFIG on that one.
#include "clientset/kubernetes/testing/every_kind.h"

#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/kubernetes/testing/any_client.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/every_kind/server.h"

namespace kube::every_kind {
namespace {

using base::IsOk;
using kubernetes::AnyClient;
using kubernetes::KindCase;
using testing::ElementsAreArray;
using testing::IsEmpty;

// What does not succeed, by kind and verb: what the error says, and why it is so. All of these come
// from the resource: path and method are right.
struct Exception {
  const char* error;
  const char* reason;
};
const std::map<std::string, Exception>& Exceptions() {
  static const std::map<std::string, Exception> exceptions = {
      {"v1 Binding create", {"pods \"web\" not found", "pods/binding succeeds below"}},
      {"v1 ComponentStatus list", {"the list does not have it", "they have no labels"}},
  };
  return exceptions;
}

bool IsWriteOfWhatIsThere(absl::string_view verb) { return absl::StartsWith(verb, "update"); }

// Others write, too: controllers of the server's own.
absl::Status CallUntilNoConflict(AnyClient& client, absl::string_view verb) {
  absl::Status status = client.Call(Soon(), verb);
  for (int i = 0; i < 20 && errors::IsConflict(status) && IsWriteOfWhatIsThere(verb); ++i) {
    const bool scale = absl::EndsWith(verb, "scale");
    status = client.Call(Soon(), scale ? "get scale" : "get");
    if (status.ok()) status = client.Call(Soon(), verb);
  }
  return status;
}

// OK: it is gone, or its finalizers are all that keeps it.
absl::Status ExpectDeleted(AnyClient& client) {
  const absl::Status status = client.Call(Soon(), "get");
  if (errors::IsNotFound(status)) return absl::OkStatus();
  if (!status.ok()) return status;
  if (client.metadata().deletion_timestamp.has_value()) return absl::OkStatus();
  return absl::FailedPreconditionError("it is still there");
}

// There may be another one yet, if finalizers keep it.
absl::Status CallDeleteCollection(AnyClient& client, const std::string& manifest) {
  const std::string name(client.metadata().name);
  absl::Status status = client.SetObject(manifest);
  client.metadata().name = name;
  client.metadata().labels["every-kind"] = "yes";
  if (status.ok()) status = client.Call(Soon(), "create");
  if (!status.ok() && !errors::IsAlreadyExists(status)) return status;
  status = client.Call(Soon(), "deletecollection");
  return status.ok() ? ExpectDeleted(client) : status;
}

absl::Status CallVerb(AnyClient& client, absl::string_view verb, const std::string& manifest) {
  if (verb == "deletecollection") return CallDeleteCollection(client, manifest);
  if (verb == "update") client.metadata().annotations["updated"] = "yes";
  absl::Status status = CallUntilNoConflict(client, verb);
  if (!status.ok()) return status;
  if (verb == "delete") return ExpectDeleted(client);
  if (verb == "patch" && client.metadata().annotations.value_or("patched", "") != "yes") {
    return absl::FailedPreconditionError("the patch has done nothing");
  }
  return status;
}

// One line of the table.
class Row {
 public:
  explicit Row(const KindCase& kind)
      : kind_(absl::StrCat(ApiVersionOf(kind), " ", kind.resource.kind)) {}

  void Add(absl::string_view verb, const absl::Status& status) {
    const auto exception = Exceptions().find(absl::StrCat(kind_, " ", verb));
    absl::StrAppend(&text_, "  ", verb, status.ok() ? " ok" : "");
    if (status.ok() && exception == Exceptions().end()) return;
    const std::string message(status.message());
    if (exception != Exceptions().end() && absl::StrContains(message, exception->second.error)) {
      absl::StrAppend(&text_, " (", exception->second.reason, ")");
      return;
    }
    absl::StrAppend(&text_, " FAILED");
    ADD_FAILURE() << kind_ << ": " << verb << ": " << status
                  << (exception == Exceptions().end() ? "" : ", but it is an exception");
  }
  void Print() const { std::cout << kind_ << ":" << text_ << "\n"; }

 private:
  const std::string kind_;
  std::string text_;
};

// The server sets the generation of a new object to 1 if it counts the changes of its kind.
void ExpectGeneration(const KindCase& kind, AnyClient& created) {
  if (!kind.traits.has_value()) return;
  // The generation of a CSIDriver begins at 0, and that of a PriorityClass stays 1.
  const bool starts_at_one = kind.resource.kind == "PriorityClass" ||
                             (kind.traits->has_generation && kind.resource.kind != "CSIDriver");
  EXPECT_EQ(created.metadata().generation, starts_at_one ? 1 : 0)
      << ApiVersionOf(kind) << " " << kind.resource.kind;
}

// How many verbs it has.
size_t Try(const KindCase& kind) {
  const absl::StatusOr<std::string> manifest = ManifestOf(ApiVersionOf(kind), kind.resource.kind);
  EXPECT_THAT(manifest, IsOk());
  if (!manifest.ok()) return 0;
  const std::unique_ptr<AnyClient> client = kind.make(Client());
  const std::string name(client->metadata().name);
  EXPECT_THAT(client->SetObject(*manifest), IsOk());
  // Reviews have no metadata.
  if (client->verbs().size() > 1) {
    if (client->metadata().name.empty()) client->metadata().name = name;
    client->metadata().labels["every-kind"] = "yes";
  }
  Row row(kind);
  for (const absl::string_view verb : client->verbs()) {
    const absl::Status status = CallVerb(*client, verb, *manifest);
    row.Add(verb, status);
    if (verb == "create" && status.ok()) ExpectGeneration(kind, *client);
  }
  row.Print();
  return client->verbs().size();
}

std::vector<KindCase> ServedKinds(const Served& served) {
  std::vector<KindCase> kinds;
  for (KindCase& kind : kubernetes::EveryKind()) {
    const auto group_version = served.find(ApiVersionOf(kind));
    if (group_version == served.end()) continue;
    if (group_version->second.count(std::string(kind.resource.plural)) == 0) continue;
    kinds.push_back(kind);
  }
  return kinds;
}

Served DiscoverAll() {
  std::set<std::string> group_versions;
  for (const KindCase& kind : kubernetes::EveryKind()) group_versions.insert(ApiVersionOf(kind));
  return Discover(group_versions);
}

TEST(EveryKind, LivesAndDies) {
  size_t verbs = 0;
  const std::vector<KindCase> kinds = ServedKinds(DiscoverAll());
  for (const KindCase& kind : kinds) verbs += Try(kind);
  std::cout << kinds.size() << " kinds, " << verbs << " verbs\n";
  EXPECT_GT(kinds.size(), 65u);
  EXPECT_GT(verbs, 540u);
}

TEST(EveryKind, HasTheVerbsOfTheServer) {
  Served served = DiscoverAll();
  for (const KindCase& kind : ServedKinds(served)) {
    std::map<std::string, std::set<std::string>>& resources = served[ApiVersionOf(kind)];
    std::set<std::string> ours;
    for (const absl::string_view verb : kind.make(Client())->verbs()) {
      if (!absl::StrContains(verb, " ")) ours.emplace(verb);
    }
    EXPECT_THAT(ours, ElementsAreArray(resources[std::string(kind.resource.plural)]))
        << ApiVersionOf(kind) << " " << kind.resource.kind;
    resources.erase(std::string(kind.resource.plural));
  }
  // The rest are subresources: see subresources_test.cc.
  for (const auto& [group_version, resources] : served) {
    for (const auto& [resource, verbs] : resources) {
      EXPECT_TRUE(absl::StrContains(resource, "/")) << group_version << " " << resource;
    }
  }
}

}  // namespace
}  // namespace kube::every_kind
