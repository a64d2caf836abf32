#ifndef EXAMPLES_WEBSITE_OPERATOR_TEST_USERS_H_
#define EXAMPLES_WEBSITE_OPERATOR_TEST_USERS_H_

#include <functional>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "api/core/v1/types.kube.h"
#include "apimachinery/base/context.h"
#include "apimachinery/base/testing/status_matchers.h"
#include "apimachinery/base/wait.h"
#include "clientset/kubernetes/clientset.h"
#include "clientset/kubernetes/core/v1/client.h"
#include "examples/website_operator/website.client.kube.h"
#include "examples/website_operator/website.kube.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace sites {

// Waits until something is so; a failure of the test says what.
inline void Await(absl::string_view what, const std::function<bool()>& reached) {
  const kube::Context ctx = kube::WithTimeout(kube::Context(), absl::Minutes(5));
  while (!reached()) {
    ASSERT_THAT(kube::base::SleepFor(ctx, absl::Milliseconds(50)), kube::base::IsOk()) << what;
  }
}

// What users of the operator do, so that it uses all its rights. Thread-compatible.
class Users {
 public:
  explicit Users(const kube::kubernetes::Clientset& client)
      : client_(client), websites_(client.client(), "default") {}

  void Work() const {
    const auto maps = client_.CoreV1().ConfigMaps("default");
    const kube::api::core::v1::ConfigMap content = {.metadata = {.name = "posts"},
                                                    .data = {{"index.html", "hello"}}};
    ASSERT_THAT(maps.Create(kube::Context(), content), kube::base::IsOk());
    const v1::Website website = {.metadata = {.name = "blog"},
                                 .spec = {.content = "posts", .replicas = 1}};
    ASSERT_THAT(websites_.Create(kube::Context(), website), kube::base::IsOk());
    Await("the first event", [this] { return EventCount() >= 1; });
    // Makes it ready for a second time, which is told by the same event.
    ASSERT_THAT(maps.Edit(kube::Context(), "posts",
                          [](kube::api::core::v1::ConfigMap& edited) {
                            edited.data["index.html"] = "hello again";
                            return absl::OkStatus();
                          }),
                kube::base::IsOk());
    Await("the same event", [this] { return EventCount() >= 2; });
    ASSERT_THAT(websites_.Delete(kube::Context(), "blog"), kube::base::IsOk());
    Await("the end of the website",
          [this] { return !websites_.Get(kube::Context(), "blog").ok(); });
  }

 private:
  // Returns how often a Website has become ready.
  int EventCount() const {
    int count = 0;
    const auto list = client_.CoreV1().Events("default").List(kube::Context());
    if (!list.ok()) return count;
    for (const kube::api::core::v1::Event& event : list->items) {
      if (event.involved_object.kind == "Website" && event.reason == "Ready") count += event.count;
    }
    return count;
  }

  const kube::kubernetes::Clientset client_;
  const v1::WebsiteClient websites_;
};

}  // namespace sites

#endif  // EXAMPLES_WEBSITE_OPERATOR_TEST_USERS_H_
