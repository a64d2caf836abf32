#include "controller/testing/internal/world_end_state.h"

#include <string>

#include "absl/strings/string_view.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apiserver/handler.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/rest/client.h"
#include "envtest/in_process_transport.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace kube::controller::internal {
namespace {

namespace corev1 = api::core::v1;
using base::IsOk;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// Returns the end of a server with one config map of this value.
std::string EndWith(absl::string_view value) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  corev1::ConfigMap map;
  map.metadata.generate_name = "m-";
  map.data["value"] = value;
  EXPECT_THAT(corev1::ConfigMapClient(client, "default").Create(Context(), map), IsOk());
  const auto state = ReadEndState(client, server.Requests());
  EXPECT_THAT(state, IsOk());
  return state.ok() ? TextOf(*state) : "";
}

TEST(WorldEndStateTest, TwoServersThatHaveDoneTheSame_HaveTheSameEnd) {
  const std::string end = EndWith("one");
  EXPECT_EQ(end, EndWith("one"));
  EXPECT_EQ(DifferenceOf(end, EndWith("one")), "");
  EXPECT_THAT(end, HasSubstr("\"m-*\""));
  EXPECT_THAT(end, HasSubstr("value: \"one\""));
  EXPECT_THAT(end, Not(HasSubstr("uid")));
}

TEST(WorldEndStateTest, AResourceWhoseDefinitionIsGone_HasNoObjects) {
  apiserver::ApiHandler server;
  const rest::Client client = *rest::MakeClient(envtest::InProcessConfig(server));
  const apiserver::LoggedRequest created = {.verb = "create",
                                            .group = "example.com",
                                            .version = "v1",
                                            .resource = "websites",
                                            .namespace_name = "default",
                                            .code = 201};
  const auto state = ReadEndState(client, {created});
  ASSERT_THAT(state, IsOk());
  EXPECT_THAT(state->objects, IsEmpty());
  EXPECT_THAT(state->complete_kinds, IsEmpty());
}

TEST(WorldEndStateTest, AnotherValue_IsADifference) {
  EXPECT_THAT(DifferenceOf(EndWith("one"), EndWith("other")), HasSubstr("value: \"other\""));
}

TEST(WorldEndStateTest, AnObjectMore_IsADifference) {
  EXPECT_EQ(DifferenceOf("a", "a\nb"), "  (nothing)\n  b");
}

}  // namespace
}  // namespace kube::controller::internal
