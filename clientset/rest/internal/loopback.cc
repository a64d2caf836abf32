#include "clientset/rest/internal/loopback.h"

#include <algorithm>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"

namespace kube::rest::internal {

namespace {

bool IsDigits(absl::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return absl::ascii_isdigit(static_cast<unsigned char>(c)); });
}

}  // namespace

bool IsLoopback(absl::string_view host_name) {
  if (absl::EqualsIgnoreCase(host_name, "localhost") || host_name == "::1") return true;
  const std::vector<absl::string_view> parts = absl::StrSplit(host_name, '.');
  return parts.size() == 4 && parts[0] == "127" &&
         std::all_of(parts.begin(), parts.end(), [](absl::string_view part) {
           int number = 0;
           return IsDigits(part) && absl::SimpleAtoi(part, &number) && number <= 255;
         });
}

}  // namespace kube::rest::internal
