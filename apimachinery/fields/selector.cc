#include "apimachinery/fields/selector.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "apimachinery/base/status.h"
#include "apimachinery/base/text/utf8.h"

namespace kube::fields {
namespace {

// Splits `text` at the commas that are not escaped with a backslash.
std::vector<absl::string_view> SplitTerms(absl::string_view text) {
  std::vector<absl::string_view> terms;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(start));
  return terms;
}

struct Term {
  absl::string_view field;
  Operator op = Operator::kEquals;
  absl::string_view value;
};

// Splits `text` at its first operator; the field of "a!b=c" is "a!b".
std::optional<Term> SplitTerm(absl::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const absl::string_view rest = text.substr(i);
    const bool not_equals = absl::StartsWith(rest, "!=");
    if (!not_equals && rest[0] != '=') continue;
    const size_t size = not_equals || absl::StartsWith(rest, "==") ? 2 : 1;
    return Term{text.substr(0, i), not_equals ? Operator::kNotEquals : Operator::kEquals,
                rest.substr(size)};
  }
  return std::nullopt;
}

absl::Status InvalidEscape(absl::string_view sequence) {
  return absl::InvalidArgumentError(
      absl::StrCat("invalid field selector: invalid escape sequence: ", sequence));
}

}  // namespace

Selector::Selector(std::vector<Requirement> requirements) {
  if (requirements.empty()) return;
  rep_ = std::make_shared<const Rep>(Rep{std::move(requirements)});
}

bool Selector::Matches(FieldLookup lookup) const {
  if (rep_ == nullptr) return true;
  for (const Requirement& requirement : rep_->requirements) {
    const bool same = lookup(requirement.field) == requirement.value;
    if (same != (requirement.op == Operator::kEquals)) return false;
  }
  return !rep_->requirements.empty();
}

bool Selector::Matches(const Map<String>& fields) const {
  return Matches([&](absl::string_view field) {
    const String* value = fields.find(field);
    return value == nullptr ? absl::string_view() : value->view();
  });
}

absl::Span<const Requirement> Selector::requirements() const {
  if (rep_ == nullptr) return {};
  return rep_->requirements;
}

std::optional<absl::string_view> Selector::RequiresExactMatch(absl::string_view field) const {
  for (const Requirement& requirement : requirements()) {
    if (requirement.op == Operator::kEquals && requirement.field == field) return requirement.value;
  }
  return std::nullopt;
}

absl::StatusOr<Selector> Selector::Transform(TransformFunc fn) const {
  if (MatchesNothing()) return *this;
  std::vector<Requirement> transformed;
  for (const Requirement& requirement : requirements()) {
    KUBE_ASSIGN_OR_RETURN(FieldValue made, fn(requirement.field, requirement.value));
    if (made.field.empty() && made.value.empty()) continue;
    transformed.push_back({requirement.op, std::move(made.field), std::move(made.value)});
  }
  return Selector(std::move(transformed));
}

std::string Selector::ToString() const {
  return absl::StrJoin(requirements(), ",", [](std::string* out, const Requirement& requirement) {
    absl::StrAppend(out, requirement.field, selection::ToString(requirement.op),
                    EscapeValue(requirement.value));
  });
}

bool operator==(const Selector& a, const Selector& b) {
  return a.rep_ == b.rep_ || (a.empty() == b.empty() && a.requirements() == b.requirements());
}

std::ostream& operator<<(std::ostream& out, const Selector& selector) {
  return out << selector.ToString();
}

Selector Everything() { return Selector(); }

Selector Nothing() {
  Selector nothing;
  nothing.rep_ = std::make_shared<const Selector::Rep>();
  return nothing;
}

Selector OneTermEqualSelector(absl::string_view field, absl::string_view value) {
  return Selector({{Operator::kEquals, std::string(field), std::string(value)}});
}

Selector OneTermNotEqualSelector(absl::string_view field, absl::string_view value) {
  return Selector({{Operator::kNotEquals, std::string(field), std::string(value)}});
}

Selector AndSelectors(absl::Span<const Selector> selectors) {
  std::vector<Requirement> all;
  for (const Selector& selector : selectors) {
    if (selector.MatchesNothing()) return selector;
    all.insert(all.end(), selector.requirements().begin(), selector.requirements().end());
  }
  return Selector(std::move(all));
}

Selector SelectorFromSet(const Map<String>& fields) {
  std::vector<Requirement> requirements;
  requirements.reserve(fields.size());
  for (const auto& [field, value] : fields) {
    requirements.push_back({Operator::kEquals, field, value});
  }
  return Selector(std::move(requirements));
}

absl::StatusOr<Selector> ParseSelector(absl::string_view text) {
  // The identity, which still makes Transform drop "=", as upstream does.
  return ParseAndTransformSelector(text, [](absl::string_view field, absl::string_view value) {
    return absl::StatusOr<FieldValue>(FieldValue{std::string(field), std::string(value)});
  });
}

absl::StatusOr<Selector> ParseAndTransformSelector(absl::string_view text, TransformFunc fn) {
  std::vector<absl::string_view> terms = SplitTerms(text);
  std::sort(terms.begin(), terms.end());
  std::vector<Requirement> requirements;
  for (const absl::string_view term_text : terms) {
    if (term_text.empty()) continue;
    const std::optional<Term> term = SplitTerm(term_text);
    if (!term.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("invalid selector: '", text, "'; can't understand '", term_text, "'"));
    }
    KUBE_ASSIGN_OR_RETURN(std::string value, UnescapeValue(term->value));
    requirements.push_back({term->op, std::string(term->field), std::move(value)});
  }
  return Selector(std::move(requirements)).Transform(fn);
}

std::string EscapeValue(absl::string_view value) {
  return absl::StrReplaceAll(value, {{"\\", "\\\\"}, {",", "\\,"}, {"=", "\\="}});
}

absl::StatusOr<std::string> UnescapeValue(absl::string_view text) {
  if (text.find_first_of("\\,=") == absl::string_view::npos) return std::string(text);
  const std::string valid = text::ReplaceInvalidUtf8(text);
  std::string value;
  value.reserve(valid.size());
  for (size_t i = 0; i < valid.size(); ++i) {
    const char c = valid[i];
    if (c == ',' || c == '=') {
      // Upstream, too, prints the number of the character.
      return absl::InvalidArgumentError(
          absl::StrCat("invalid field selector: unescaped character in value: ", int{c}));
    }
    if (c == '\\') {
      const absl::string_view rest = absl::string_view(valid).substr(i + 1);
      if (rest.empty()) return InvalidEscape("\\");
      if (rest[0] != '\\' && rest[0] != ',' && rest[0] != '=') {
        const size_t size = text::DecodeRune(rest).size;
        return InvalidEscape(absl::StrCat("\\", rest.substr(0, size)));
      }
      ++i;
    }
    value += valid[i];
  }
  return value;
}

}  // namespace kube::fields
