#include "apimachinery/labels/selector.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <utility>

#include "absl/strings/str_join.h"
#include "apimachinery/base/status.h"

namespace kube::labels {
namespace {

// For at most this many labels a linear search that compares sizes first is faster than the binary
// search of the Map, which must compare characters to find the order.
constexpr size_t kFewLabels = 16;

const String* Find(const Map<String>& labels, const String& key) {
  if (labels.size() > kFewLabels) return labels.find(key);
  for (const auto& [label, value] : labels) {
    if (label.size() == key.size() && label == key) return &value;
  }
  return nullptr;
}

}  // namespace

Selector::Selector(std::vector<Requirement> requirements) {
  if (requirements.empty()) return;
  std::stable_sort(requirements.begin(), requirements.end(),
                   [](const Requirement& a, const Requirement& b) { return a.key() < b.key(); });
  rep_ = std::make_shared<const Rep>(Rep{std::move(requirements)});
}

bool Selector::Matches(const Map<String>& labels) const {
  if (rep_ == nullptr) return true;
  for (const Requirement& requirement : rep_->requirements) {
    if (!requirement.Matches(Find(labels, requirement.key()))) return false;
  }
  return !rep_->requirements.empty();
}

bool Selector::Matches(LabelLookup lookup) const {
  if (rep_ == nullptr) return true;
  for (const Requirement& requirement : rep_->requirements) {
    if (!requirement.Matches(lookup(requirement.key()))) return false;
  }
  return !rep_->requirements.empty();
}

absl::Span<const Requirement> Selector::requirements() const {
  if (rep_ == nullptr) return {};
  return rep_->requirements;
}

Selector Selector::Add(std::vector<Requirement> requirements) const {
  if (MatchesNothing()) return *this;
  const absl::Span<const Requirement> ours = this->requirements();
  requirements.insert(requirements.begin(), ours.begin(), ours.end());
  return Selector(std::move(requirements));
}

std::optional<absl::string_view> Selector::RequiresExactMatch(absl::string_view key) const {
  for (const Requirement& requirement : requirements()) {
    if (requirement.key() != key) continue;
    const Operator op = requirement.op();
    const bool exact =
        op == Operator::kEquals || op == Operator::kDoubleEquals || op == Operator::kIn;
    if (!exact || requirement.values().size() != 1) return std::nullopt;
    return requirement.values().front().view();
  }
  return std::nullopt;
}

std::string Selector::ToString() const {
  return absl::StrJoin(requirements(), ",", [](std::string* out, const Requirement& requirement) {
    out->append(requirement.ToString());
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

Selector SelectorFromSet(const Set& labels) {
  std::vector<Requirement> requirements;
  requirements.reserve(labels.size());
  for (const auto& [key, value] : labels) {
    requirements.push_back(Requirement::MakeEquals(key, value));
  }
  return Selector(std::move(requirements));
}

absl::StatusOr<Selector> ValidatedSelectorFromSet(const Set& labels) {
  for (const auto& [key, value] : labels) {
    KUBE_RETURN_IF_ERROR(Requirement::Make(key, Operator::kEquals, {std::string(value)}).status());
  }
  return SelectorFromSet(labels);
}

}  // namespace kube::labels
