#include "tests/conformance/script.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "apimachinery/base/status.h"

namespace kube::conformance {
namespace {

class Parser {
 public:
  absl::StatusOr<std::vector<Behaviour>> Parse(absl::string_view text) {
    for (absl::string_view line : absl::StrSplit(text, '\n')) {
      ++line_;
      const absl::Status status = Take(line);
      if (!status.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("line ", line_, ": ", status.message(), ": ", line));
      }
    }
    if (place_ == Place::kRequest) return absl::InvalidArgumentError("the last request is open");
    return std::move(behaviours_);
  }

 private:
  enum class Place { kBetween, kRequest, kAnswer };

  absl::Status Take(absl::string_view line) {
    // The lines of a body have no comments and headings.
    if (place_ != Place::kRequest) {
      if (absl::StartsWith(line, "#")) return absl::OkStatus();
      if (absl::ConsumePrefix(&line, "== ")) return Begin(line);
    }
    if (place_ == Place::kRequest) return TakeOfRequest(line);
    if (place_ == Place::kAnswer) return TakeOfAnswer(line);
    if (line.empty()) return absl::OkStatus();
    if (behaviours_.empty()) return absl::InvalidArgumentError("no behaviour has begun");
    if (line == "@controllers") {
      behaviours_.back().needs_controllers = true;
      return absl::OkStatus();
    }
    if (line == "@definitions") {
      behaviours_.back().needs_definitions = true;
      return absl::OkStatus();
    }
    return BeginStep(line);
  }

  absl::Status Begin(absl::string_view name) {
    behaviours_.push_back({.name = std::string(name), .line = line_});
    place_ = Place::kBetween;
    return absl::OkStatus();
  }

  absl::Status BeginStep(absl::string_view line) {
    const std::pair<absl::string_view, absl::string_view> words =
        absl::StrSplit(line, absl::MaxSplits(' ', 1));
    if (words.first.empty() || words.second.empty() || !absl::ascii_isupper(words.first[0])) {
      return absl::InvalidArgumentError("want a method and a path");
    }
    behaviours_.back().steps.push_back(
        {.line = line_, .method = std::string(words.first), .target = std::string(words.second)});
    place_ = Place::kRequest;
    return absl::OkStatus();
  }

  absl::Status TakeOfRequest(absl::string_view line) {
    Step& step = behaviours_.back().steps.back();
    if (absl::ConsumePrefix(&line, "--> ")) {
      place_ = Place::kAnswer;
      return TakeCode(line, step);
    }
    if (absl::ConsumePrefix(&line, "> ")) return AddPair(line, ": ", step.headers);
    absl::StrAppend(&step.body, step.body.empty() ? "" : "\n", line);
    return absl::OkStatus();
  }

  static absl::Status TakeCode(absl::string_view line, Step& step) {
    const std::vector<absl::string_view> words = absl::StrSplit(line, ' ');
    if (!absl::SimpleAtoi(words[0], &step.code)) {
      return absl::InvalidArgumentError("want a status code");
    }
    for (size_t i = 1; i < words.size(); ++i) {
      if (words[i] == "exactly") {
        step.exactly = true;
      } else if (words[i] == "eventually") {
        step.eventually = true;
      } else if (words[i] != "lines" || ++i == words.size() ||
                 !absl::SimpleAtoi(words[i], &step.lines)) {
        return absl::InvalidArgumentError("want exactly, eventually or lines N");
      }
    }
    return absl::OkStatus();
  }

  absl::Status TakeOfAnswer(absl::string_view line) {
    Step& step = behaviours_.back().steps.back();
    if (line.empty()) {
      place_ = Place::kBetween;
      return absl::OkStatus();
    }
    if (absl::ConsumePrefix(&line, "< ")) return AddPair(line, ": ", step.expected_headers);
    if (absl::ConsumePrefix(&line, "? ")) return AddPair(line, " = ", step.saves);
    absl::StrAppend(&step.expected, step.expected.empty() ? "" : "\n", line);
    return absl::OkStatus();
  }

  static absl::Status AddPair(absl::string_view line, absl::string_view between,
                              std::vector<std::pair<std::string, std::string>>& pairs) {
    std::pair<std::string, std::string> pair = absl::StrSplit(line, absl::MaxSplits(between, 1));
    if (pair.second.empty()) {
      return absl::InvalidArgumentError(absl::StrCat("want \"", between, "\""));
    }
    pairs.push_back(std::move(pair));
    return absl::OkStatus();
  }

  int line_ = 0;
  Place place_ = Place::kBetween;
  std::vector<Behaviour> behaviours_;
};

}  // namespace

absl::StatusOr<std::vector<Behaviour>> ParseScript(absl::string_view text) {
  return Parser().Parse(text);
}

}  // namespace kube::conformance
