#ifndef APIMACHINERY_CODEC_JSON_JSON_DECODE_STATE_H_
#define APIMACHINERY_CODEC_JSON_JSON_DECODE_STATE_H_

// What a JSON decoder knows whatever it builds: its text, where it is in the object, what went
// wrong and what strict mode has to say.

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
  // `text` is padded. `valid_utf8`: of the whole text. Both arguments outlive the decoder.
  JsonDecodeState(absl::string_view text, bool valid_utf8, const DecodeContext& context)
      : end_(text.data() + text.size()),
        valid_utf8_(valid_utf8),
        context_(context),
        strict_errors_(context.strict_errors) {}

  const DecodeError& error() const { return error_; }
  const char* end() const { return end_; }
  bool valid_utf8() const { return valid_utf8_; }
  // How many objects and arrays may be open where the text is read into a value of any type: ten
  // times as many as structs, which have lists and maps in between.
  int max_value_depth() const {
    return context_.max_depth < kMaxTextDepth / 10 ? context_.max_depth * 10 : kMaxTextDepth;
  }
  // How many structs the next value is in.
  int depth() const { return depth_; }
  const DecodeContext& context() const { return context_; }

 protected:
  // Go's decoder refuses deeper texts.
  static constexpr int kMaxTextDepth = 10000;

  // Null. The error is at `p`, or at the end of the text where that cuts off what is there.
  [[gnu::cold, gnu::noinline]] const char* Fail(const char* p, absl::string_view cause);
  // The same, at `p` in any case.
  const char* Stop(const char* p, absl::string_view cause);

  // How many objects and arrays are open, at a value that is to be skipped.
  int TextDepth() const;

  // ---- strict mode: where strict_errors_ is not null

  using SeenFields = std::vector<bool>;

  // Reports the field if it was seen; `frame` is that of its struct and at the field.
  void CheckDuplicate(SeenFields& seen, uint32_t i, const kube::table::Message& message,
                      PathFrame& frame);
  // The same of a map's key. `before`: those of the same object.
  void CheckDuplicateKey(std::set<std::string>& before, absl::string_view key);
  // Something as Go words it, once, and not more than it.
  void Report(absl::string_view what, absl::string_view name);

  const char* const end_;
  const bool valid_utf8_;
  const DecodeContext& context_;
  std::vector<std::string>* strict_errors_;  // the context's; null where they do not matter
  int depth_ = 0;
  PathFrame* path_ = nullptr;

 private:
  bool IsCutOff(const char* p) const;

  DecodeError error_;
};

}  // namespace kube::codec::internal

#endif  // APIMACHINERY_CODEC_JSON_JSON_DECODE_STATE_H_
