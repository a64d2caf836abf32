#include "apimachinery/fields/compiled_selector.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/status.h"
#include "apimachinery/table/layout.h"
#include "apimachinery/table/walk.h"

namespace kube::fields {

using kube::table::BoxRep;
using kube::table::Field;
using kube::table::Kind;
using kube::table::Load;
using kube::table::Message;
using kube::table::Shape;
using kube::table::StringRep;

namespace {

// Removes the field name at the beginning of `path`, and the dot after it, and returns the field. A
// name may contain dots: the longest that matches is taken. Returns null if there is none.
const Field* TakeMember(const Message& message, absl::string_view& path) {
  const Field* found = nullptr;
  absl::string_view found_name;
  for (size_t i = 0; i < message.field_count; ++i) {
    const Field& field = message.fields[i];
    const absl::string_view name = message.field_name(field);
    const bool begins = path.substr(0, name.size()) == name &&
                        (path.size() == name.size() || path[name.size()] == '.');
    if (!begins || (field.flags & kube::table::kNoJson) != 0) continue;
    if (found != nullptr && name.size() < found_name.size()) continue;
    found = &field;
    found_name = name;
  }
  if (found == nullptr) return nullptr;
  path.remove_prefix(found_name.size());
  if (path == ".") return nullptr;
  if (!path.empty()) path.remove_prefix(1);
  return found;
}

bool IsSelectable(Kind kind) {
  return kind == Kind::kString || kind == Kind::kBool || kind == Kind::kInt32 ||
         kind == Kind::kInt64;
}

// Returns the number whose text on a server is `text`; bools are 0 and 1.
std::optional<int64_t> NumberWrittenAs(absl::string_view text, Kind kind) {
  int64_t number = 0;
  if (kind == Kind::kBool) {
    if (text == "true") return 1;
    return text == "false" ? std::optional<int64_t>(0) : std::nullopt;
  }
  if (!absl::SimpleAtoi(text, &number) || absl::StrCat(number) != text) return std::nullopt;
  return number;
}

int64_t LoadNumber(const char* at, Kind kind) {
  switch (kind) {
    case Kind::kBool:
      return *at != 0;
    case Kind::kInt32:
      return Load<int32_t>(at);
    default:
      return Load<int64_t>(at);
  }
}

absl::Status NotSupported(absl::string_view field) {
  return absl::InvalidArgumentError(absl::StrCat("field label not supported: ", field));
}

}  // namespace

absl::StatusOr<CompiledSelector> CompiledSelector::MakeFor(const Selector& selector,
                                                           const Message& message) {
  CompiledSelector compiled;
  compiled.message_ = &message;
  compiled.nothing_ = selector.MatchesNothing();
  for (const Requirement& requirement : selector.requirements()) {
    KUBE_ASSIGN_OR_RETURN(Term term, Compile(requirement, message));
    compiled.terms_.push_back(std::move(term));
  }
  return compiled;
}

absl::StatusOr<CompiledSelector::Term> CompiledSelector::Compile(const Requirement& requirement,
                                                                 const Message& message) {
  Term term;
  const Message* at = &message;
  const Field* field = nullptr;
  for (absl::string_view path = requirement.field; !path.empty();) {
    if (at == nullptr) return NotSupported(requirement.field);
    field = TakeMember(*at, path);
    if (field == nullptr) return NotSupported(requirement.field);
    term.offset += field->offset;
    at = at->sub(*field);
    if (path.empty()) break;
    if (field->shape == Shape::kBox) {
      term.boxes.push_back(std::exchange(term.offset, 0));
    } else if (field->shape != Shape::kValue) {
      return NotSupported(requirement.field);
    }
  }
  const bool leaf = field != nullptr && IsSelectable(field->kind) &&
                    (field->shape == Shape::kValue || field->shape == Shape::kOpt);
  if (!leaf) return NotSupported(requirement.field);
  if (field->shape == Shape::kOpt) term.presence = term.offset + field->element_size;
  term.kind = field->kind;
  term.equals = requirement.op == Operator::kEquals;
  term.value = requirement.value;
  if (term.kind != Kind::kString) {
    const std::optional<int64_t> number = NumberWrittenAs(requirement.value, term.kind);
    term.never = !number.has_value();
    term.number = number.value_or(0);
  }
  return term;
}

bool CompiledSelector::IsSame(const Term& term, const char* object) {
  for (const uint32_t box : term.boxes) {
    object = Load<BoxRep>(object + box).value();
    if (object == nullptr) return term.value.empty();
  }
  if (term.presence != 0 && object[term.presence] == 0) return term.value.empty();
  const char* member = object + term.offset;
  if (term.kind != Kind::kString)
    return !term.never && LoadNumber(member, term.kind) == term.number;
  const auto& text = *reinterpret_cast<const StringRep*>(member);
  return text.size() == term.value.size() &&
         absl::string_view(text.data(), text.size()) == term.value.view();
}

bool CompiledSelector::MatchesObject(const void* object) const {
  for (const Term& term : terms_) {
    if (IsSame(term, static_cast<const char*>(object)) != term.equals) return false;
  }
  return !nothing_;
}

}  // namespace kube::fields
