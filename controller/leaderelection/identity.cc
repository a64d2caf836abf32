#include "controller/leaderelection/identity.h"

#include <unistd.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "apimachinery/base/random.h"

namespace kube::leaderelection {

std::string UniqueIdentity() {
  char host[256] = {};
  gethostname(host, sizeof(host) - 1);
  return absl::StrCat(host, "_", base::RandomString(10));
}

}  // namespace kube::leaderelection
