#include "webhook/testing/dog_conversions.h"

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/types/string.h"
#include "webhook/testing/dogs.kube.h"

namespace kube::webhook {

using tests::dogs::Dog;
using tests::dogs::OldDog;
using tests::dogs::OldestDog;

absl::Status FromOldDog(const OldDog& dog, Dog& hub) {
  if (dog.spec.size < 0) return absl::InvalidArgumentError("a dog cannot be that small");
  hub.spec.body.size = dog.spec.size;
  if (const String* const owner = dog.metadata.annotations.find(kOwnerAnnotation);
      owner != nullptr) {
    hub.spec.owner = *owner;
    hub.metadata.annotations.erase(kOwnerAnnotation);
  }
  hub.status.seen = dog.status.seen;
  return absl::OkStatus();
}

absl::Status ToOldDog(const Dog& hub, OldDog& dog) {
  dog.spec.size = hub.spec.body.size;
  if (!hub.spec.owner.empty()) dog.metadata.annotations[kOwnerAnnotation] = hub.spec.owner;
  dog.status.seen = hub.status.seen;
  return absl::OkStatus();
}

absl::Status FromOldestDog(const OldestDog& dog, Dog& hub) {
  int32_t size = 0;
  if (!dog.spec.size.empty() && !absl::SimpleAtoi(dog.spec.size.view(), &size)) {
    return absl::InvalidArgumentError(absl::StrCat("\"", dog.spec.size.view(), "\" is no size"));
  }
  hub.spec.body.size = size;
  hub.status.seen = dog.status.seen;
  return absl::OkStatus();
}

absl::Status ToOldestDog(const Dog& hub, OldestDog& dog) {
  dog.spec.size = absl::StrCat(hub.spec.body.size);
  dog.status.seen = hub.status.seen;
  return absl::OkStatus();
}

std::string DogDefinition(absl::string_view stored) {
  const auto version = [stored](absl::string_view name, absl::string_view spec) {
    return absl::StrCat(
        R"({"name":")", name, R"(","served":true,"storage":)", name == stored ? "true" : "false",
        R"(,"subresources":{"status":{}},"schema":{"openAPIV3Schema":)",
        R"({"type":"object","properties":{"spec":{"type":"object","properties":)", spec,
        R"(},"status":{"type":"object","properties":{"seen":{"type":"boolean"}}}}}}})");
  };
  return absl::StrCat(
      R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",)",
      R"("metadata":{"name":"dogs.example.com"},"spec":{"group":"example.com",)",
      R"("scope":"Namespaced","names":{"plural":"dogs","singular":"dog","kind":"Dog",)",
      R"("listKind":"DogList"},"versions":[)",
      version("v2", R"({"body":{"type":"object","properties":{"size":{"type":"integer"}}},)"
                    R"("owner":{"type":"string"}})"),
      ",", version("v1", R"({"size":{"type":"integer"}})"), ",",
      version("v1alpha1", R"({"size":{"type":"string"}})"),
      R"(],"conversion":{"strategy":"Webhook","webhook":{"conversionReviewVersions":["v1"],)",
      R"("clientConfig":{"service":{"namespace":"default","name":"hooks","path":"/convert"}}}}}})");
}

}  // namespace kube::webhook
