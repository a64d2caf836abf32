#include "apiserver/call/warning_header.h"

#include <string>

#include "absl/strings/string_view.h"

namespace kube::apiserver::internal {

std::string WarningHeader(absl::string_view text) {
  std::string escaped = "299 - \"";
  for (char c : text) {
    if (c == '"' || c == '\\') escaped.push_back('\\');
    // Control characters are dropped, so that a text cannot inject another header.
    if (static_cast<unsigned char>(c) >= 0x20 && c != 0x7f) escaped.push_back(c);
  }
  escaped.push_back('"');
  return escaped;
}

}  // namespace kube::apiserver::internal
