#ifndef APISERVER_TESTING_KENNEL_H_
#define APISERVER_TESTING_KENNEL_H_

#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"
#include "apiserver/testing/webhook_world.h"

// Custom resources that a webhook in the process converts: v1 of a Dog has spec.size, and v2 has
// spec.body.size.
namespace kube::apiserver {

inline constexpr char kDefinitions[] = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
inline constexpr char kOldDogs[] = "/apis/example.com/v1/namespaces/default/dogs";
inline constexpr char kNewDogs[] = "/apis/example.com/v2/namespaces/default/dogs";

// The clientConfig of the webhook of a Kennel.
inline constexpr char kDogHook[] =
    R"({"service":{"namespace":"default","name":"hooks","path":"/convert"}})";

// Returns the definition; objects are stored in the version `stored`.
std::string DogDefinition(absl::string_view stored, absl::string_view client_config = kDogHook);
std::string DogJson(absl::string_view version, absl::string_view name, int size);

// A webhook that remembers how many objects each call had. Thread-safe.
class DogConverter {
 public:
  // Answers a review.
  absl::StatusOr<std::string> Call(absl::string_view body);

  // Makes all calls fail with this cause; "" makes them succeed again.
  void Break(absl::string_view cause);
  std::vector<int> TakeCalls();

 private:
  base::Mutex mutex_;
  std::vector<int> calls_ ABSL_GUARDED_BY(mutex_);
  std::string broken_ ABSL_GUARDED_BY(mutex_);
};

// A server with the definition and its webhook.
struct Kennel {
  explicit Kennel(absl::string_view stored = "v1");

  // Goes last: the server may call it until it ends.
  DogConverter converter;
  WebhookWorld world;
};

}  // namespace kube::apiserver

#endif  // APISERVER_TESTING_KENNEL_H_
