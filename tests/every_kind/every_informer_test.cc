// Every kind of the embedded server that can be listed and watched, by informers of one factory:
// objects that come while they watch, and objects that are there before.
#include "informers/kubernetes/testing/every_informer.h"

#include <iostream>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/kubernetes/testing/any_client.h"
#include "clientset/kubernetes/testing/every_kind.h"
#include "clientset/kubernetes/testing/kind_case.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "informers/any_shared_informer.h"
#include "informers/kubernetes/shared_informer_factory.h"
#include "informers/kubernetes/testing/informer_case.h"
#include "tests/every_kind/server.h"

namespace kube::every_kind {
namespace {

using base::IsOk;
using kubernetes::AnyClient;
using kubernetes::InformerCase;
using kubernetes::KindCase;
using kubernetes::SharedInformerFactory;

struct Subject {
  KindCase kind;
  InformerCase informer;
  std::unique_ptr<AnyClient> client;  // has the object

  std::string namespace_name() const {
    return kind.resource.namespaced ? std::string(kubernetes::kNamespace) : "";
  }
};

// Returns all kinds that the server has and that have an informer.
std::vector<Subject> Subjects() {
  std::map<std::string, InformerCase> informers;
  std::set<std::string> group_versions;
  for (InformerCase& each : kubernetes::EveryInformer()) {
    group_versions.insert(each.api_version);
    informers.emplace(absl::StrCat(each.api_version, " ", each.kind), each);
  }
  const Served served = Discover(group_versions);
  std::vector<Subject> subjects;
  for (const KindCase& kind : kubernetes::EveryKind()) {
    const std::string api_version = ApiVersionOf(kind);
    const auto informer = informers.find(absl::StrCat(api_version, " ", kind.resource.kind));
    const auto resources = served.find(api_version);
    if (informer == informers.end() || resources == served.end()) continue;
    if (resources->second.count(std::string(kind.resource.plural)) == 0) continue;
    subjects.push_back({kind, informer->second, kind.make(Client())});
  }
  return subjects;
}

// It may be there in another version.
absl::Status Create(Subject& subject) {
  const absl::StatusOr<std::string> manifest =
      ManifestOf(subject.informer.api_version, subject.informer.kind);
  if (!manifest.ok()) return manifest.status();
  AnyClient& client = *subject.client;
  const std::string name(client.metadata().name);
  absl::Status status = client.SetObject(*manifest);
  if (!status.ok()) return status;
  if (client.metadata().name.empty()) client.metadata().name = name;
  status = client.Call(Soon(), "create");
  return errors::IsAlreadyExists(status) ? client.Call(Soon(), "get") : status;
}

absl::Status Find(SharedInformerFactory& factory, const Subject& subject) {
  return subject.informer.get(factory, subject.namespace_name(),
                              subject.client->metadata().name.view());
}

TEST(EveryInformer, HasWhatIsCreated) {
  std::vector<Subject> subjects = Subjects();
  SharedInformerFactory watching(Client());
  for (const Subject& subject : subjects) subject.informer.informer(watching);
  ASSERT_THAT(watching.Start(Context()), IsOk());
  ASSERT_THAT(watching.WaitForCacheSync(Soon(), {.fail_fast = true}), IsOk());
  for (Subject& subject : subjects) {
    SCOPED_TRACE(subject.informer.accessor);
    ASSERT_THAT(Create(subject), IsOk());
    EXPECT_THAT(subject.informer.informer(watching).WaitForResourceVersion(
                    Soon(), subject.client->metadata().resource_version.view()),
                IsOk());
    EXPECT_THAT(Find(watching, subject), IsOk());
  }

  SharedInformerFactory later(Client());
  for (const Subject& subject : subjects) subject.informer.informer(later);
  ASSERT_THAT(later.Start(Context()), IsOk());
  ASSERT_THAT(later.WaitForCacheSync(Soon(), {.fail_fast = true}), IsOk());
  for (const Subject& subject : subjects) {
    EXPECT_THAT(Find(later, subject), IsOk()) << subject.informer.accessor;
  }
  std::cout << subjects.size() << " kinds\n";
  EXPECT_GT(subjects.size(), 55u);
}

}  // namespace
}  // namespace kube::every_kind
