#include "clientset/scale/convert.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "api/autoscaling/v1/types.kube.h"
#include "api/extensions/v1beta1/types.kube.h"
#include "api/meta/v1/types.kube.h"
#include "apimachinery/base/status.h"
#include "apimachinery/labels/label_selector.h"
#include "apimachinery/labels/selector.h"
#include "apimachinery/schema/group_version.h"
#include "apimachinery/types/string.h"
#include "apimachinery/unstructured/convert.h"
#include "apimachinery/unstructured/unstructured.h"

namespace kube::scale {

namespace autoscalingv1 = api::autoscaling::v1;
namespace extensionsv1beta1 = api::extensions::v1beta1;
namespace metav1 = api::meta::v1;

namespace {

absl::StatusOr<metav1::LabelSelector> Parse(absl::string_view text) {
  KUBE_ASSIGN_OR_RETURN(metav1::LabelSelector selector, labels::ParseToLabelSelector(text),
                        "failed to parse target selector");
  return selector;
}

absl::StatusOr<std::string> Format(const metav1::LabelSelector& selector) {
  KUBE_ASSIGN_OR_RETURN(const labels::Selector parsed, labels::LabelSelectorAsSelector(&selector),
                        "invalid label selector");
  return parsed.ToString();
}

absl::StatusOr<autoscalingv1::Scale> FromOld(const extensionsv1beta1::Scale& old) {
  autoscalingv1::Scale scale = {
      .metadata = old.metadata,
      .spec = {.replicas = old.spec.replicas},
      .status = {.replicas = old.status.replicas},
  };
  metav1::LabelSelector selector;
  if (!old.status.target_selector.empty()) {
    KUBE_ASSIGN_OR_RETURN(selector, Parse(old.status.target_selector));
  } else if (!old.status.selector.is_null()) {
    selector.match_labels = old.status.selector;
  } else {
    return scale;
  }
  KUBE_ASSIGN_OR_RETURN(scale.status.selector, Format(selector));
  return scale;
}

}  // namespace

bool IsOldScale(const schema::GroupVersion& version) {
  if (version.group == "extensions") return version.version == "v1beta1";
  return version.group == "apps" && (version.version == "v1beta1" || version.version == "v1beta2");
}

absl::StatusOr<autoscalingv1::Scale> Normalized(const autoscalingv1::Scale& scale) {
  autoscalingv1::Scale result = scale;
  result.kind = result.api_version = String();
  if (scale.status.selector.empty()) return result;
  KUBE_ASSIGN_OR_RETURN(const metav1::LabelSelector selector, Parse(scale.status.selector));
  KUBE_ASSIGN_OR_RETURN(result.status.selector, Format(selector));
  return result;
}

absl::StatusOr<autoscalingv1::Scale> ScaleOf(const unstructured::Unstructured& object) {
  const schema::GroupVersionKind kind = object.gvk();
  if (kind.kind == "Scale" && kind.group == "autoscaling" && kind.version == "v1") {
    KUBE_ASSIGN_OR_RETURN(const auto scale,
                          unstructured::FromValue<autoscalingv1::Scale>(object.object),
                          "decode scale");
    return Normalized(scale);
  }
  if (kind.kind == "Scale" && IsOldScale(kind.group_version())) {
    KUBE_ASSIGN_OR_RETURN(const auto old,
                          unstructured::FromValue<extensionsv1beta1::Scale>(object.object),
                          "decode scale");
    return FromOld(old);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("decode scale: unexpected kind ", kind.ToString()));
}

absl::StatusOr<extensionsv1beta1::Scale> OldScaleOf(const autoscalingv1::Scale& scale) {
  extensionsv1beta1::Scale old = {
      .metadata = scale.metadata,
      .spec = {.replicas = scale.spec.replicas},
      .status = {.replicas = scale.status.replicas},
  };
  if (scale.status.selector.empty()) return old;
  KUBE_ASSIGN_OR_RETURN(const metav1::LabelSelector selector, Parse(scale.status.selector));
  if (selector.match_expressions.empty()) old.status.selector = selector.match_labels;
  KUBE_ASSIGN_OR_RETURN(old.status.target_selector, Format(selector));
  return old;
}

}  // namespace kube::scale
