#include "net/httpserver/exchange.h"

#include "absl/strings/string_view.h"

namespace kube::httpserver {

absl::string_view Request::path() const {
  const absl::string_view view = target;
  return view.substr(0, view.find('?'));
}

absl::string_view Request::query() const {
  const absl::string_view view = target;
  const size_t mark = view.find('?');
  return mark == absl::string_view::npos ? absl::string_view() : view.substr(mark + 1);
}

}  // namespace kube::httpserver
