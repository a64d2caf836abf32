#include "apimachinery/meta/name_generator.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/random.h"

namespace kube::meta {

std::string GenerateName(absl::string_view base) {
  return absl::StrCat(base.substr(0, kMaxGeneratedNameLength), kube::base::RandomString(5));
}

}  // namespace kube::meta
