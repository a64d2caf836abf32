#ifndef TESTS_PLANTED_BUGS_CATALOGUE_H_
#define TESTS_PLANTED_BUGS_CATALOGUE_H_

#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/meta/object_name.h"

namespace kube::planted_bugs {

// The ConfigMap with an entry for each shelf, and its namespace.
inline constexpr char kCatalogueNamespace[] = "library";
inline constexpr char kCatalogue[] = "catalogue";

// Returns the key of a shelf in the catalogue: "default.a".
inline std::string EntryOf(const meta::ObjectName& shelf) {
  return absl::StrCat(shelf.namespace_name, ".", shelf.name);
}

}  // namespace kube::planted_bugs

#endif  // TESTS_PLANTED_BUGS_CATALOGUE_H_
