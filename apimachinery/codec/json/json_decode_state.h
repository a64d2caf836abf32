#ifndef APIMACHINERY_CODEC_JSON_JSON_DECODE_STATE_H_
#define APIMACHINERY_CODEC_JSON_JSON_DECODE_STATE_H_

// The state of a JSON decoder that does not depend on what it builds: the text, the path of the
// current value, the first error, and the reports of strict mode.

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "apimachinery/codec/internal/decode_context.h"
#include "apimachinery/codec/internal/decode_path.h"
#include "apimachinery/table/message.h"

namespace kube::codec::internal {

class JsonDecodeState {
 public:
  // `text` must be padded; `valid_utf8` says whether all of it is valid UTF-8. `text` and `context`
  // must outlive the decoder.
  JsonDecodeState(absl::string_view text, bool valid_utf8, const DecodeContext& context)
      : end_(text.data() + text.size()),
        valid_utf8_(valid_utf8),
        context_(context),
        strict_errors_(context.strict_errors) {}

  const DecodeError& error() const { return error_; }
  const char* end() const { return end_; }
  bool valid_utf8() const { return valid_utf8_; }
  // Maximum number of open objects and arrays in a value of any type. It is ten times that of
  // structs, because lists and maps stand between structs.
  int max_value_depth() const {
    return context_.max_depth < kMaxTextDepth / 10 ? context_.max_depth * 10 : kMaxTextDepth;
  }
  // The number of structs that are open.
  int depth() const { return depth_; }
  const DecodeContext& context() const { return context_; }

 protected:
  // Go's decoder refuses texts that are nested more deeply.
  static constexpr int kMaxTextDepth = 10000;

  // Records an error and returns null. The error is at `p`, or at the end of the text if the text
  // ends within the value at `p`.
  [[gnu::cold, gnu::noinline]] const char* Fail(const char* p, absl::string_view cause);
  // Does the same, but the error is always at `p`.
  const char* Stop(const char* p, absl::string_view cause);

  // Returns the number of open objects and arrays around a value that is to be skipped.
  int TextDepth() const;

  // ---- strict mode; used only if strict_errors_ is not null

  using SeenFields = std::vector<bool>;

  // Reports field `i` if it was seen before. `frame` is that of the struct and is at the field.
  void CheckDuplicate(SeenFields& seen, uint32_t i, const kube::table::Message& message,
                      PathFrame& frame);
  // Reports a key of a map that is in `before`, the earlier keys of the same object, and adds it.
  void CheckDuplicateKey(std::set<std::string>& before, absl::string_view key);
  // Reports `what` in Go's words, once per path, and up to 100 reports.
  void Report(absl::string_view what, absl::string_view name);

  const char* const end_;
  const bool valid_utf8_;
  const DecodeContext& context_;
  std::vector<std::string>* strict_errors_;  // of the context; null if not wanted
  int depth_ = 0;
  PathFrame* path_ = nullptr;

 private:
  bool IsCutOff(const char* p) const;

  DecodeError error_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_DECODE_STATE_H_
