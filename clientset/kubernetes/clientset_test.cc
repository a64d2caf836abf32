#include "clientset/kubernetes/clientset.h"

#include <memory>

#include "absl/status/status.h"
#include "api/coordination/v1/types.kube.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "clientset/kubernetes/coordination/v1/client.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/testing/scripted_client.h"
#include "clientset/rest/testing/scripted_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::kubernetes {
namespace {

namespace coordinationv1 = api::coordination::v1;
namespace corev1 = api::core::v1;

using base::IsOk;
using base::StatusIs;

TEST(Clientset, MakeSendsNothing) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  EXPECT_THAT(Clientset::Make({.host = "http://localhost", .transport = transport}), IsOk());
  EXPECT_THAT(transport->requests(), testing::IsEmpty());
}

TEST(Clientset, MakeRefusesWhatRestRefuses) {
  EXPECT_THAT(Clientset::Make({.host = "a host"}), StatusIs(absl::StatusCode::kInvalidArgument));
}

// A client is made for each call, but all of them share one rest::Client.
TEST(Clientset, ClientsOutliveIt) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Always({}, rest::JsonReply("{}"));
  const auto make = [&transport] {
    const Clientset client(rest::MakeScriptedClient(transport));
    const Clientset copy = client;
    return copy.CoordinationV1().Leases("prod");
  };
  const coordinationv1::LeaseClient leases = make();
  EXPECT_THAT(leases.Get(Context(), "leader"), IsOk());
  EXPECT_EQ(leases.namespace_name(), "prod");
  EXPECT_EQ(transport->requests()[0].path,
            "/apis/coordination.k8s.io/v1/namespaces/prod/leases/leader");
}

// A server without protobuf for a kind refuses one request only, although each call has a client of
// its own.
TEST(Clientset, FormatsAreRemembered) {
  const auto transport = std::make_shared<rest::ScriptedTransport>();
  transport->Expect({}, rest::StatusReply(406, "NotAcceptable", "no protobuf"));
  transport->Always({}, rest::JsonReply("{}"));
  const Clientset client(rest::MakeScriptedClient(transport));
  EXPECT_THAT(client.CoreV1().Pods("a").Get(Context(), "x"), IsOk());
  EXPECT_THAT(client.CoreV1().Pods("b").Get(Context(), "y"), IsOk());
  ASSERT_EQ(transport->requests().size(), 3u);
  EXPECT_EQ(transport->requests()[2].Header("accept"), "application/json, */*");
}

// Verbs that a kind does not have, and resources that a group does not have, do not compile.
template <typename ClientT>
constexpr bool kCanUpdate = requires {
  &ClientT::Update;
};
static_assert(kCanUpdate<corev1::PodClient>);
static_assert(!kCanUpdate<corev1::ComponentStatusClient>);
static_assert(!kCanUpdate<corev1::BindingClient>);

template <typename GroupT>
constexpr bool kHasPods = requires(const GroupT& group) {
  group.Pods("");
};
static_assert(kHasPods<corev1::CoreV1Client>);
static_assert(!kHasPods<coordinationv1::CoordinationV1Client>);

// A group whose header is not included is only declared.
template <typename GroupT>
constexpr bool kIsComplete = requires {
  sizeof(GroupT);
};
static_assert(kIsComplete<corev1::CoreV1Client>);
static_assert(!kIsComplete<api::apps::v1::AppsV1Client>);

}  // namespace
}  // namespace kube::kubernetes
