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

// Options of a Clientset.
struct ClientsetOptions {
  // Options of the server, such as deny rules and controllers. Its `cluster_objects` is replaced by
  // the one below.
  apiserver::HandlerOptions server = {};
  // Whether the server has the initial objects of a new cluster, such as the service "kubernetes"
  // and the RBAC roles. Default: false: only namespaces. client-go's fake has none of them.
  bool cluster_objects = false;
};

// A clientset for unit tests: the real one, connected to an API server in this process.
// (client-go: `kubernetes/fake.Clientset`, `NewSimpleClientset` and `NewClientset`)
//
//   fake::Clientset clientset;
//   ASSERT_THAT(clientset.Add(pod, map), IsOk());
//   clientset.PrependReactor("update", "configmaps", [](fake::Action&) {
//     return fake::Reaction::Fail(errors::Conflict({"", "configmaps"}, "m", "changed"));
//   });
//   EXPECT_TRUE(errors::IsConflict(Touch(clientset.client())));
//   EXPECT_TRUE(clientset.Actions().back().Matches("update", "configmaps"));
//
// It offers what users of client-go's fake know: initial objects, reactors and a log of actions.
// client-go's fake keeps objects in a map, and returns what it was given. Here the API server of
// envtest executes all requests (docs/envtest.md describes how far it imitates a real one), so
// tests see what production code sees:
//
// * objects are validated and get defaults, uids, resource versions, creation times and
//   generations; values set by the test are not kept;
// * a write with an old resource version is a conflict; Update does not change the status, and
//   UpdateStatus changes nothing else;
// * namespaces must exist. Add creates them; "default" and the three system namespaces exist;
// * finalizers, grace periods, owners, label and field selectors, paging, all patch types,
//   server-side apply with managed fields, dry runs and watches from an old resource version work;
// * requests are encoded, sent, answered and decoded as JSON.
//
// Actions correspond to HTTP requests, so code that watches or pages shows each of them. All
// reactors, including those of AddReactor, run before the server; client-go's run after the map and
// are never reached.
//
// Thread-safe. It must outlive all calls of its clients.
class Clientset {
 public:
  // Starts with the namespaces of a new cluster and no other objects.
  explicit Clientset(ClientsetOptions options = {});
  ~Clientset();
  Clientset(const Clientset&) = delete;
  Clientset& operator=(const Clientset&) = delete;

  // Returns the clientset to pass to the code under test. Cheap to copy.
  const kubernetes::Clientset& client() const { return client_; }

  // Stores objects of built-in kinds, including their status, and creates their namespaces.
  // Bypasses reactors and the log. Objects of namespaced kinds without a namespace are put into
  // "default". Returns the server's error for the first object that it rejects, or INVALID_ARGUMENT
  // if a type is not a built-in kind. (client-go: the objects of `NewSimpleClientset`;
  // `Tracker().Add`)
  template <ApiStruct... T>
  absl::Status Add(const T&... objects) {
    absl::Status status;
    static_cast<void>(((status = AddObject(T::kMessage, codec::EncodeJson(objects))).ok() && ...));
    return status;
  }

  // Adds a reactor before or behind all others for actions with this verb and resource. "*" matches
  // everything; "deployments" includes subresources; "deployments/status" is only that one. Case
  // matters. The first reaction other than PassOn counts. Watches are actions too.
  // (client-go: `PrependReactor`, `AddReactor`, `PrependWatchReactor`)
  void PrependReactor(absl::string_view verb, absl::string_view resource, Reactor reactor);
  void AddReactor(absl::string_view verb, absl::string_view resource, Reactor reactor);

  // Returns the requests of the clients in order, as they were sent, before reactors changed them.
  std::vector<Action> Actions() const;
  void ClearActions();

  // Returns the server, for Compact, SetDenyRules, SetPodLog and so on. (client-go: `Tracker`)
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
