#include "tests/kitchen_sink/kitchen_oracle.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "tests/oracle/oracle.h"

namespace kube::oracle {
namespace {

void AppendNumber(std::string& out, size_t number) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>(number >> shift));
}

void AppendString(std::string& out, absl::string_view text) {
  AppendNumber(out, text.size());
  absl::StrAppend(&out, text);
}

// Takes records from the start of a program's output.
class RecordReader {
 public:
  explicit RecordReader(absl::string_view data) : data_(data) {}

  bool done() const { return data_.empty(); }

  // Returns nullopt if the data ends too early.
  std::optional<std::vector<std::string>> Next() {
    const std::optional<size_t> count = Number();
    // Each string takes at least four bytes.
    if (!count.has_value() || *count > data_.size() / 4) return std::nullopt;
    std::vector<std::string> record(*count);
    for (std::string& text : record) {
      const std::optional<size_t> size = Number();
      if (!size.has_value() || *size > data_.size()) return std::nullopt;
      text = std::string(data_.substr(0, *size));
      data_.remove_prefix(*size);
    }
    return record;
  }

 private:
  std::optional<size_t> Number() {
    if (data_.size() < 4) return std::nullopt;
    size_t number = 0;
    for (int i = 0; i < 4; ++i) number |= size_t{static_cast<uint8_t>(data_[i])} << (8 * i);
    data_.remove_prefix(4);
    return number;
  }

  absl::string_view data_;
};

// A record of "ok" and outputs, or of "error" and a message.
KitchenOracle::Answer ToAnswer(std::vector<std::string> record) {
  if (!record.empty() && record.front() == "ok") {
    record.erase(record.begin());
    return record;
  }
  if (record.size() == 2 && record.front() == "error") {
    return absl::InvalidArgumentError(record.back());
  }
  return absl::InternalError("read kitchen_oracle: a record that is no answer");
}

}  // namespace

size_t KitchenOracle::Ask(absl::string_view operation, absl::string_view type,
                          std::vector<std::string> inputs) {
  AppendNumber(requests_, inputs.size() + 2);
  AppendString(requests_, operation);
  AppendString(requests_, type);
  for (const std::string& input : inputs) AppendString(requests_, input);
  return asked_++;
}

absl::Status KitchenOracle::Run() {
  const absl::StatusOr<std::string> program = FindData("oracles", "kitchen_oracle");
  if (!program.ok()) return program.status();
  const absl::StatusOr<std::string> output =
      RunProgram(*program, {.input = std::exchange(requests_, {})});
  if (!output.ok()) return output.status();
  RecordReader records(*output);
  while (!records.done()) {
    std::optional<std::vector<std::string>> record = records.Next();
    if (!record.has_value()) return absl::InternalError("read kitchen_oracle: output ends early");
    answers_.push_back(ToAnswer(*std::move(record)));
  }
  if (answers_.size() != asked_) {
    return absl::InternalError(absl::StrCat("read kitchen_oracle: ", answers_.size(),
                                            " answers to ", asked_, " questions"));
  }
  return absl::OkStatus();
}

std::string KitchenOracle::Output(size_t question) const {
  const Answer& answer = answers_.at(question);
  if (!answer.ok()) return absl::StrCat("error: ", answer.status().message());
  return answer->empty() ? "error: no output" : answer->front();
}

}  // namespace kube::oracle
