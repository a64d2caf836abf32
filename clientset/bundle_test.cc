// A client's parts, by nothing but //clientset and the groups that it uses: configuration, a
// clientset, pages, a watch, retries, errors.

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/secret.h"
#include "apimachinery/base/status.h"
#include "apimachinery/errors/predicates.h"
#include "clientset/clientcmd/load_config.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "clientset/pager/pager.h"
#include "clientset/rest/config.h"
#include "clientset/retry/retry.h"
#include "gtest/gtest.h"

namespace kube {
namespace {

namespace corev1 = api::core::v1;

absl::StatusOr<std::vector<std::string>> NamesOfPods(const Context& ctx,
                                                     const kubernetes::Clientset& client) {
  std::vector<std::string> names;
  KUBE_RETURN_IF_ERROR(
      pager::PagerOf(client.CoreV1().Pods("prod").typed_client())
          .EachItem(ctx, {.label_selector = "app=web"}, [&names](const corev1::Pod& pod) {
            names.push_back(std::string(pod.metadata.name.view()));
            return absl::OkStatus();
          }));
  return names;
}

TEST(ClientsetBundle, HasWhatAProgramThatListsPodsNeeds) {
  rest::Config config;
  config.host = "https://127.0.0.1:1";  // where nothing listens
  config.bearer_token = base::Secret("t");
  const absl::StatusOr<kubernetes::Clientset> client = kubernetes::Clientset::Make(config);
  ASSERT_TRUE(client.ok()) << client.status();

  const absl::StatusOr<std::vector<std::string>> names = NamesOfPods(Context(), *client);
  ASSERT_FALSE(names.ok());
  EXPECT_FALSE(errors::IsNotFound(names.status())) << names.status();

  int tries = 0;
  const absl::Status retried = retry::OnConflict(Context(), retry::kDefaultRetry, [&tries] {
    ++tries;
    return absl::OkStatus();
  });
  EXPECT_TRUE(retried.ok()) << retried;
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace kube
