#include "apiserver/openapi/struct_facts.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "api/all_kinds.h"
#include "apimachinery/base/check.h"
#include "apimachinery/base/no_destructor.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/kind_info.h"
#include "apimachinery/unstructured/value.h"
#include "apimachinery/unstructured/value_json.h"
#include "apiserver/openapi/definitions_text.h"

namespace kube::apiserver::internal {

using unstructured::Value;

StructFacts::StructFacts(absl::string_view text) {
  const void* names = nullptr;
  for (absl::string_view line : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    if (absl::ConsumePrefix(&line, "= ")) {
      const std::vector<absl::string_view> parts = absl::StrSplit(line, ' ');
      KUBE_CHECK_EQ(parts.size(), size_t{3}) << line;
      const KindInfo* kind = api::FindKind(parts[1], parts[2]);
      KUBE_CHECK(kind != nullptr) << line;
      names = kind->message->names;
      prefixes_[names] = parts[0];
      continue;
    }
    const size_t space = line.find(' ');
    KUBE_CHECK(names != nullptr && space != absl::string_view::npos) << line;
    absl::StatusOr<Value> facts = unstructured::ParseJson(line.substr(space + 1));
    KUBE_CHECK_OK(facts) << line;
    facts_[std::make_pair(names, line.substr(0, space))] = *std::move(facts);
  }
}

const StructFacts& StructFacts::BuiltIn() {
  static base::NoDestructor<StructFacts> facts(DefinitionsText());
  return *facts;
}

bool StructFacts::Knows(const table::Message& message) const {
  return prefixes_.contains(static_cast<const void*>(message.names));
}

std::string StructFacts::NameOf(const table::Message& message) const {
  const auto prefix = prefixes_.find(static_cast<const void*>(message.names));
  KUBE_CHECK(prefix != prefixes_.end()) << message.type_name();
  const Value& facts = FactsOf(message);
  return absl::StrCat(prefix->second, facts["name"].text().value_or(message.type_name()));
}

const Value& StructFacts::FactsOf(const table::Message& message) const {
  const void* names = message.names;
  const auto found = facts_.find(std::make_pair(names, message.type_name()));
  return found == facts_.end() ? none_ : found->second;
}

}  // namespace kube::apiserver::internal
