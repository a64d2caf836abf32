#include "tests/kitchen_sink/kitchen_messages.h"

#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "apimachinery/table/message.h"
#include "tests/kitchen_sink/base.kube.h"
#include "tests/kitchen_sink/sink.kube.h"

namespace kube::oracle {
namespace {

namespace base = ::kube::kitchen::base;
namespace sink = ::kube::kitchen::sink;

constexpr KitchenType kTypes[] = {
    {"ObjectMeta", &base::v1::ObjectMeta::kMessage},
    {"OwnerReference", &base::v1::OwnerReference::kMessage},
    {"ManagedFieldsEntry", &base::v1::ManagedFieldsEntry::kMessage},
    {"ListMeta", &base::v1::ListMeta::kMessage},
    {"Point", &base::v1::Point::kMessage},
    {"Pair", &base::v1::Pair::kMessage},
    {"Empty", &base::v1::Empty::kMessage},
    {"LabelSelectorRequirement", &base::v1::LabelSelectorRequirement::kMessage},
    {"LabelSelector", &base::v1::LabelSelector::kMessage},
    {"Condition", &base::v1::Condition::kMessage},
    {"ExecAction", &base::v1::ExecAction::kMessage},
    {"HttpAction", &base::v1::HttpAction::kMessage},
    {"Handler", &base::v1::Handler::kMessage},
    {"Source", &base::v1::Source::kMessage},
    {"Plain", &sink::v1::Plain::kMessage},
    {"Optional", &sink::v1::Optional::kMessage},
    {"Never", &sink::v1::Never::kMessage},
    {"OptionalNever", &sink::v1::OptionalNever::kMessage},
    {"Zero", &sink::v1::Zero::kMessage},
    {"OptionalZero", &sink::v1::OptionalZero::kMessage},
    {"EmptyOrZero", &sink::v1::EmptyOrZero::kMessage},
    {"Lists", &sink::v1::Lists::kMessage},
    {"ListsNever", &sink::v1::ListsNever::kMessage},
    {"ListsZero", &sink::v1::ListsZero::kMessage},
    {"Maps", &sink::v1::Maps::kMessage},
    {"MapsNever", &sink::v1::MapsNever::kMessage},
    {"MapsZero", &sink::v1::MapsZero::kMessage},
    {"Structs", &sink::v1::Structs::kMessage},
    {"DeepOne", &sink::v1::DeepOne::kMessage},
    {"DeepTwo", &sink::v1::DeepTwo::kMessage},
    {"DeepThree", &sink::v1::DeepThree::kMessage},
    {"Volume", &sink::v1::Volume::kMessage},
    {"Probe", &sink::v1::Probe::kMessage},
    {"Outer", &sink::v1::Outer::kMessage},
    {"Middle", &sink::v1::Middle::kMessage},
    {"Inner", &sink::v1::Inner::kMessage},
    {"Inlines", &sink::v1::Inlines::kMessage},
    {"Numbers", &sink::v1::Numbers::kMessage},
    {"OneFormat", &sink::v1::OneFormat::kMessage},
    {"Keywords", &sink::v1::Keywords::kMessage},
    {"JsonNames", &sink::v1::JsonNames::kMessage},
    {"LongNames", &sink::v1::LongNames::kMessage},
    {"Wide", &sink::v1::Wide::kMessage},
    {"Schema", &sink::v1::Schema::kMessage},
    {"SchemaOrArray", &sink::v1::SchemaOrArray::kMessage},
    {"SchemaOrBool", &sink::v1::SchemaOrBool::kMessage},
    {"SchemaOrStringArray", &sink::v1::SchemaOrStringArray::kMessage},
    {"Merges", &sink::v1::Merges::kMessage},
    {"Port", &sink::v1::Port::kMessage},
    {"Part", &sink::v1::Part::kMessage},
    {"Restricted", &sink::v1::Restricted::kMessage},
    {"Sink", &sink::v1::Sink::kMessage},
    {"SinkSpec", &sink::v1::SinkSpec::kMessage},
    {"SinkStatus", &sink::v1::SinkStatus::kMessage},
    {"SinkList", &sink::v1::SinkList::kMessage},
    {"Tap", &sink::v1::Tap::kMessage},
    {"TapList", &sink::v1::TapList::kMessage},
    {"DrainOptions", &sink::v1::DrainOptions::kMessage},
    {"Typed", &sink::v1::Typed::kMessage},
    {"Workload", &sink::v1::Workload::kMessage},
    {"Template", &sink::v1::Template::kMessage},
};

}  // namespace

const kube::table::Message* KitchenMessage(absl::string_view type) {
  for (const KitchenType& entry : kTypes) {
    if (entry.name == type) return entry.message;
  }
  return nullptr;
}

absl::Span<const KitchenType> KitchenTypes() { return kTypes; }

}  // namespace kube::oracle
