#ifndef APIMACHINERY_BASE_SECRET_H_
#define APIMACHINERY_BASE_SECRET_H_

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace kube::base {

// A token, password or private key. It prints as `<redacted>`, and its memory is wiped when it is
// destroyed or overwritten.
//
// A thread-compatible value. The characters are in one heap block, which a move hands over, so that
// no copy remains. Copies made from the result of Reveal are the caller's to wipe.
//
//   const Secret token(ReadToken());
//   const std::string line = absl::StrFormat("the token is %s", token);  // the token is <redacted>
//   headers["Authorization"] = absl::StrCat("Bearer ", token.Reveal());
class Secret {
 public:
  Secret() = default;
  explicit Secret(absl::string_view text);
  // Copies `text` and wipes it.
  explicit Secret(std::string&& text);
  explicit Secret(const char* text) : Secret(absl::string_view(text)) {}

  Secret(const Secret& other) : Secret(other.Reveal()) {}
  Secret(Secret&& other) noexcept;
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { Wipe(); }

  // Returns the characters; there is no other way to read them. The result is valid until the
  // secret is changed or destroyed.
  absl::string_view Reveal() const { return absl::string_view(data_.get(), size_); }

  bool empty() const { return size_ == 0; }

  // Compares in a time that does not depend on where the first difference is. It does depend on the
  // lengths, which are not secret.
  friend bool operator==(const Secret& a, const Secret& b);
  friend bool operator!=(const Secret& a, const Secret& b) { return !(a == b); }

  // All ways to print: streams, GoogleTest and absl::StrFormat("%s"). absl::StrCat does not accept
  // a Secret: newer abseil rejects a type that has both AbslStringify and AbslFormatConvert, older
  // abseil has only the latter.
  static constexpr absl::string_view kRedacted = "<redacted>";
  friend std::ostream& operator<<(std::ostream& out, const Secret&) { return out << kRedacted; }
  friend void PrintTo(const Secret&, std::ostream* out) { *out << kRedacted; }
  friend absl::FormatConvertResult<absl::FormatConversionCharSet::kString> AbslFormatConvert(
      const Secret&, const absl::FormatConversionSpec&, absl::FormatSink* sink) {
    sink->Append(kRedacted);
    return {true};
  }

 private:
  void Wipe();

  std::unique_ptr<char[]> data_;
  size_t size_ = 0;
};

// Overwrites memory with zeros, even if the compiler sees that nothing reads it afterwards.
void WipeMemory(char* data, size_t size);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SECRET_H_
