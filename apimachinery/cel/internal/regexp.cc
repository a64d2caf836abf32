#include "apimachinery/cel/internal/regexp.h"

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/text/go_regexp.h"
#include "apimachinery/base/text/utf8.h"
#include "re2/re2.h"
#include "re2/stringpiece.h"

namespace kube::cel::internal {
namespace {

re2::StringPiece Piece(absl::string_view text) { return {text.data(), text.size()}; }

}  // namespace

absl::StatusOr<std::shared_ptr<const Regexp>> Regexp::Compile(absl::string_view pattern) {
  auto regexp = std::make_unique<const text::GoRegexp>(pattern);
  if (!regexp->error().empty()) return absl::InvalidArgumentError(regexp->error());
  // The constructor is private.
  struct Public : Regexp {
    explicit Public(std::unique_ptr<const text::GoRegexp> compiled) : Regexp(std::move(compiled)) {}
  };
  return std::make_shared<const Public>(std::move(regexp));
}

std::string Regexp::Find(absl::string_view text) const {
  re2::StringPiece match;
  if (!regexp_->compiled()->Match(Piece(text), 0, text.size(), re2::RE2::UNANCHORED, &match, 1))
    return "";
  return std::string(match.data(), match.size());
}

std::vector<std::string> Regexp::FindAll(absl::string_view text, int64_t limit,
                                         Budget& budget) const {
  std::vector<std::string> matches;
  constexpr size_t kNowhere = absl::string_view::npos;
  size_t position = 0;
  size_t previous_end = kNowhere;
  while (position <= text.size() && budget.Work() &&
         (limit < 0 || matches.size() < static_cast<uint64_t>(limit))) {
    re2::StringPiece match;
    if (!regexp_->compiled()->Match(Piece(text), position, text.size(), re2::RE2::UNANCHORED,
                                    &match, 1)) {
      break;
    }
    const auto begin = static_cast<size_t>(match.data() - text.data());
    const size_t end = begin + match.size();
    // An empty match directly behind another match does not count.
    const bool accepted = end != position || begin != previous_end;
    if (end == position) {
      position += position < text.size() ? text::DecodeRune(text.substr(position)).size : 1;
    } else {
      position = end;
    }
    previous_end = end;
    if (accepted) matches.emplace_back(match.data(), match.size());
  }
  return matches;
}

uint64_t Regexp::program_size() const {
  return static_cast<uint64_t>(regexp_->compiled()->ProgramSize());
}

absl::StatusOr<std::shared_ptr<const Regexp>> RegexpCache::Get(absl::string_view pattern,
                                                               Budget& budget) {
  constexpr size_t kMaxKept = 64;
  // What compiling an instruction takes, in steps of other work.
  constexpr uint64_t kStepsPerInstruction = 16;
  const auto found = compiled_.find(pattern);
  if (found != compiled_.end()) return found->second;
  absl::StatusOr<std::shared_ptr<const Regexp>> regexp = Regexp::Compile(pattern);
  if (!regexp.ok()) {
    budget.Work(pattern.size() * kStepsPerInstruction);
    return regexp;
  }
  budget.Work((*regexp)->program_size() * kStepsPerInstruction);
  if (compiled_.size() >= kMaxKept) compiled_.clear();
  compiled_.emplace(std::string(pattern), *regexp);
  return regexp;
}

}  // namespace kube::cel::internal
