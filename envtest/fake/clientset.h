#ifndef ENVTEST_FAKE_CLIENTSET_H_
#define ENVTEST_FAKE_CLIENTSET_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/codec/encode_json.h"
#include "apimachinery/types/message_type.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/clientset.h"
#include "envtest/fake/action.h"
#include "envtest/fake/internal/kinds.h"
#include "envtest/fake/reaction.h"

namespace kube::fake {

struct ClientsetOptions {
  // Of the server, such as its deny rules and whether it has controllers. Its `cluster_objects`
  // does not count: the one below does.
  apiserver::HandlerOptions server = {};
  // Whether there are the objects that a new cluster has of its own, such as the service
  // "kubernetes" and the roles of RBAC. Default: namespaces alone, as client-go's fake has none.
  bool cluster_objects = false;
};

// A clientset for unit tests: the real one, on an API server in this process. (client-go's
// kubernetes/fake.Clientset, NewSimpleClientset and NewClientset)
//
//   fake::Clientset fake;
//   ASSERT_THAT(fake.Add(pod, deployment), IsOk());
//   fake.PrependReactor("update", "deployments", [](fake::Action&) {
//     return fake::Reaction::Fail(errors::Conflict({"apps", "deployments"}, "web", "changed"));
//   });
//   RunWhatIsTested(fake.client());
//   EXPECT_TRUE(fake.Actions().back().Matches("update", "deployments"));
//
// What tests of client-go know by heart is here: objects to begin with, reactors, a log of actions.
// What is behind it is another thing. Upstream's keeps objects in a map, and takes and gives what
// it is told; here all is done by the API server of envtest (docs/envtest.md says how far it
// imitates a real one), so that a test sees what production sees:
//
//   * objects are validated and get defaults, uids, resource versions, creation times and
//     generations; those that a test sets are not kept;
//   * a write with an old resource version is a conflict; an Update does not change the status, nor
//     UpdateStatus anything else;
//   * namespaces must be there. Add makes them; so are "default" and the three of the system's;
//   * finalizers, grace periods, owners, label and field selectors, pages, patches of all types but
//     server-side apply, dry runs and watches from an old resource version do what they do;
//   * requests are encoded, sent, answered and decoded, as JSON.
//
// Actions are those of HTTP, so that code that watches and pages shows what it sends. Reactors come
// before the server, those of AddReactor too: upstream's come after the map and are never asked.
//
// Thread-safe. It and its server outlive the calls of its clients.
class Clientset {
 public:
  // Empty, but for the namespaces of a new cluster.
  explicit Clientset(ClientsetOptions options = {});
  ~Clientset();
  Clientset(const Clientset&) = delete;
  Clientset& operator=(const Clientset&) = delete;

  // What is to be tested takes this. Cheap to copy.
  const kubernetes::Clientset& client() const { return client_; }

  // Stores objects of Kubernetes' own kinds, as they are after their status was written too, and
  // makes the namespaces they are in. No reactor is asked, and no action logged. One without a
  // namespace, of a kind that has them, goes to "default". Errors: the server's, for the first
  // object it does not take; INVALID_ARGUMENT for a type that is no such kind.
  // (The objects of NewSimpleClientset; Tracker().Add)
  template <ApiStruct... T>
  absl::Status Add(const T&... objects) {
    absl::Status status;
    static_cast<void>(((status = AddObject(T::kMessage, codec::EncodeJson(objects))).ok() && ...));
    return status;
  }

  // Asks `reactor` first, or last of all reactors, about actions of that verb and that resource:
  // "*" is any; "deployments" has its subresources, "deployments/status" is that one alone. Case
  // matters. The first reaction that is not PassOn counts. Watches are actions too.
  // (PrependReactor, AddReactor, PrependWatchReactor)
  void PrependReactor(absl::string_view verb, absl::string_view resource, Reactor reactor);
  void AddReactor(absl::string_view verb, absl::string_view resource, Reactor reactor);

  // What the clients have done, in order, as they sent it: before reactors changed it.
  std::vector<Action> Actions() const;
  void ClearActions();

  // For what only envtest knows: Compact, SetDenyRules, SetPodLog. (Tracker)
  apiserver::ApiHandler& server();

 private:
  struct State;

  absl::Status AddObject(const kube::table::Message& message, absl::StatusOr<std::string> json);
  absl::Status MakeNamespace(const std::string& name);

  const std::shared_ptr<State> state_;
  const kubernetes::Clientset client_;
};

}  // namespace kube::fake

#endif  // ENVTEST_FAKE_CLIENTSET_H_
