#ifndef APIMACHINERY_BASE_SECRET_H_
#define APIMACHINERY_BASE_SECRET_H_

#include <cstddef>
#include <memory>
#include <ostream>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace kube::base {

// A token, password or private key: a value that prints `<redacted>` wherever it is printed and is
// wiped from memory when destroyed or overwritten.
//
// Thread-compatible value. The characters live in one block of the heap that a move hands over, so
// that no copy is left behind. What Reveal's caller copies is the caller's to wipe.
//
//   Secret token(ReadFile(path));
//   absl::StrFormat("%s", token);                          // "<redacted>"
//   request.AddHeader("Authorization", absl::StrCat("Bearer ", token.Reveal()));
class Secret {
 public:
  Secret() = default;
  explicit Secret(absl::string_view text);
  // Wipes the argument after copying it.
  explicit Secret(std::string&& text);
  explicit Secret(const char* text) : Secret(absl::string_view(text)) {}

  Secret(const Secret& other) : Secret(other.Reveal()) {}
  Secret(Secret&& other) noexcept;
  Secret& operator=(const Secret& other);
  Secret& operator=(Secret&& other) noexcept;
  ~Secret() { Wipe(); }

  // The only way to read it. Valid until the secret is changed or destroyed.
  absl::string_view Reveal() const { return absl::string_view(data_.get(), size_); }

  bool empty() const { return size_ == 0; }

  // Takes the same time wherever the first difference is; the lengths are no secret.
  friend bool operator==(const Secret& a, const Secret& b);
  friend bool operator!=(const Secret& a, const Secret& b) { return !(a == b); }

  // Every way to print: streams, GoogleTest, absl::StrFormat("%s"). absl::StrCat does not take it:
  // newer Abseil refuses a type that has both ways of formatting, older has this one only.
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

// Overwrites memory with zeros even where nothing reads it afterwards.
void WipeMemory(char* data, size_t size);

}  // namespace kube::base

#endif  // APIMACHINERY_BASE_SECRET_H_
