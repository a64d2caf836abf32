// Any review, given to the conversions of a kind: what is answered has as many objects as were
// asked about, of the wanted version, and with metadata that an API server accepts.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/context.h"
#include "apimachinery/types/list.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "webhook/conversion.h"
#include "webhook/testing/dog_conversions.h"
#include "webhook/testing/dogs.client.kube.h"
#include "webhook/testing/dogs.kube.h"

namespace kube::webhook {
namespace {

using tests::dogs::Dog;
using tests::dogs::OldDog;
using tests::dogs::OldestDog;
using unstructured::Value;

Conversions AllDogs() {
  Conversions dogs;
  KUBE_CHECK_OK((dogs.Add<Dog, OldDog>(FromOldDog, ToOldDog)));
  KUBE_CHECK_OK((dogs.Add<Dog, OldestDog>(FromOldestDog, ToOldestDog)));
  return dogs;
}

void CheckObject(const Value& asked, const Value& converted, const Value& wanted) {
  KUBE_CHECK(converted["apiVersion"] == wanted);
  KUBE_CHECK(converted["kind"] == asked["kind"]);
  for (const absl::string_view member : {"name", "namespace", "uid", "resourceVersion"}) {
    KUBE_CHECK(converted["metadata"][member] == asked["metadata"][member]);
  }
}

void Ask(absl::string_view body) {
  static const Conversions dogs = AllDogs();
  const absl::StatusOr<std::string> answer = AnswerConversionReview(Context(), dogs, body);
  if (!answer.ok()) return;
  const absl::StatusOr<Value> question = unstructured::ParseJson(body);
  KUBE_CHECK_OK(question.status());
  const absl::StatusOr<Value> review = unstructured::ParseJson(*answer);
  KUBE_CHECK_OK(review.status());
  const Value& request = (*question)["request"];
  const Value& response = (*review)["response"];
  KUBE_CHECK(response["uid"].text() == request["uid"].text().value_or(""));
  if (response["result"]["status"].text() != "Success") {
    KUBE_CHECK(response["convertedObjects"].is_null());
    return;
  }
  const List<Value>* const asked = request["objects"].list();
  const List<Value>* const converted = response["convertedObjects"].list();
  KUBE_CHECK(converted != nullptr);
  const size_t count = asked == nullptr ? 0 : asked->size();
  KUBE_CHECK_EQ(converted->size(), count);
  for (size_t i = 0; i < count; ++i) {
    CheckObject((*asked)[i], (*converted)[i], request["desiredAPIVersion"]);
  }
}

}  // namespace
}  // namespace kube::webhook

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::webhook::Ask(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
