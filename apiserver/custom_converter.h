#ifndef APISERVER_CUSTOM_CONVERTER_H_
#define APISERVER_CUSTOM_CONVERTER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::apiserver {

// What is converted, for errors: an object, or a list.
struct ConversionSubject {
  std::string api_version = {};
  std::string kind = {};
  bool is_list = false;
};

// Converts objects of one CustomResourceDefinition between its versions, if it does not leave that
// to the server (apiextensions-apiserver: `crConverterInterface`). Thread-safe.
class CustomConverter {
 public:
  virtual ~CustomConverter() = default;

  // Returns the objects in the version `api_version`, such as "example.com/v1", in the same order.
  // All are of another version. May block for half a minute. Errors have upstream's texts and no
  // Status.
  virtual absl::StatusOr<std::vector<unstructured::Unstructured>> Convert(
      const ConversionSubject& subject, const std::vector<unstructured::Unstructured>& objects,
      absl::string_view api_version) const = 0;
};

}  // namespace kube::apiserver

#endif  // APISERVER_CUSTOM_CONVERTER_H_
