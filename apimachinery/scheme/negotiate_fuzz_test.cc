// Any header: no crash, and what is accepted is supported.
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/check.h"
#include "apimachinery/scheme/media_type.h"
#include "apimachinery/scheme/negotiate.h"

namespace kube::scheme {
namespace {

void NegotiateAll(absl::string_view header) {
  for (const AcceptClause& clause : ParseAccept(header)) {
    KUBE_CHECK(!clause.parameters.contains("q"));
  }
  const std::optional<NegotiatedOutput> output =
      NegotiateMediaTypeOptions(header, SupportedMediaTypes());
  if (output.has_value()) {
    const absl::string_view accepted = output->accepted.media_type;
    KUBE_CHECK(SerializerInfoForMediaType(SupportedMediaTypes(), accepted) != nullptr);
    KUBE_CHECK(!output->convert.has_value());
  }
  const absl::StatusOr<NegotiatedOutput> same =
      NegotiateOutputMediaType({.accept = header, .query = header}, SupportedMediaTypes());
  KUBE_CHECK_EQ(same.ok(), output.has_value());

  const absl::StatusOr<SerializerInfo> input =
      NegotiateInputSerializer(header, false, SupportedMediaTypes());
  const absl::StatusOr<Format> format = FormatOf(header);
  KUBE_CHECK_EQ(input.ok(), format.ok());
  if (input.ok()) KUBE_CHECK(input->format == *format);
  const absl::StatusOr<MediaType> parsed = ParseMediaType(header);
  if (!parsed.ok()) return;
  const absl::StatusOr<MediaType> again = ParseMediaType(parsed->media_type);
  KUBE_CHECK_OK(again.status());
  KUBE_CHECK(again->media_type == parsed->media_type);
}

}  // namespace
}  // namespace kube::scheme

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  kube::scheme::NegotiateAll(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
