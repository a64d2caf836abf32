#include "apimachinery/codec/internal/kitchen_types.h"

#include <vector>

#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::codec::internal {
namespace {

namespace base = kube::kitchen::base::v1;
namespace sink = kube::kitchen::sink::v1;

template <typename... T>
std::vector<KitchenType> Types() {
  return {{T::kMessage.type_name(), &T::kMessage}...};
}

}  // namespace

std::vector<KitchenType> KitchenTypes() {
  return Types<
      base::ObjectMeta, base::OwnerReference, base::ManagedFieldsEntry, base::ListMeta, base::Point,
      base::Pair, base::Empty, base::LabelSelectorRequirement, base::LabelSelector, base::Condition,
      base::ExecAction, base::HttpAction, base::Handler, base::Source, sink::Plain, sink::Optional,
      sink::Never, sink::OptionalNever, sink::Zero, sink::OptionalZero, sink::EmptyOrZero,
      sink::Lists, sink::ListsNever, sink::ListsZero, sink::Maps, sink::MapsNever, sink::MapsZero,
      sink::DeepThree, sink::DeepTwo, sink::DeepOne, sink::Structs, sink::Volume, sink::Probe,
      sink::Outer, sink::Middle, sink::Inner, sink::Inlines, sink::Numbers, sink::OneFormat,
      sink::Keywords, sink::JsonNames, sink::LongNames, sink::Wide, sink::SchemaOrBool,
      sink::Schema, sink::SchemaOrArray, sink::SchemaOrStringArray, sink::Merges, sink::Port,
      sink::Part, sink::Restricted, sink::SinkSpec, sink::SinkStatus, sink::Sink, sink::SinkList,
      sink::Tap, sink::TapList, sink::DrainOptions, sink::Typed, sink::Template, sink::Workload>();
}

}  // namespace kube::codec::internal
