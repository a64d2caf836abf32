#include "clientset/rest/second_attempt.h"

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace kube::rest {

absl::Status WithFirstError(const absl::Status& second, const absl::Status& first) {
  absl::Status both(second.code(),
                    absl::StrCat(second.message(), "; before, by WebSocket: ", first.message()));
  second.ForEachPayload([&both](absl::string_view type_url, const absl::Cord& payload) {
    both.SetPayload(type_url, payload);
  });
  return both;
}

}  // namespace kube::rest
