#ifndef APIMACHINERY_VALIDATION_INTERNAL_SCAN_H_
#define APIMACHINERY_VALIDATION_INTERNAL_SCAN_H_

// Scanners in place of upstream's regular expressions: each reads its text once and allocates no
// memory. Pure functions: thread-safe.

#include <array>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace kube::validation::internal {

// Sets of ASCII characters, which can be combined.
enum CharSet : uint8_t {
  kLower = 1,
  kUpper = 2,
  kDigit = 4,
  kDash = 8,
  kUnderscore = 16,
  kDot = 32,
  kHttpPath = 64,  // ~%!$&'()*+,;=:/
  kReason = 128,   // ,:
};
constexpr uint8_t kAlpha = kLower | kUpper;
constexpr uint8_t kAlnum = kAlpha | kDigit;
constexpr uint8_t kLowerAlnum = kLower | kDigit;

constexpr std::array<uint8_t, 256> MakeCharSets() {
  std::array<uint8_t, 256> sets = {};
  for (int c = 'a'; c <= 'z'; ++c) sets[c] = kLower;
  for (int c = 'A'; c <= 'Z'; ++c) sets[c] = kUpper;
  for (int c = '0'; c <= '9'; ++c) sets[c] = kDigit;
  for (const unsigned char c :
       {'~', '%', '!', '$', '&', '\'', '(', ')', '*', '+', ',', ';', '=', ':', '/'}) {
    sets[c] = kHttpPath;
  }
  sets[','] |= kReason;
  sets[':'] |= kReason;
  sets['-'] = kDash;
  sets['_'] = kUnderscore;
  sets['.'] = kDot;
  return sets;
}
inline constexpr std::array<uint8_t, 256> kCharSets = MakeCharSets();

inline bool IsIn(char c, uint8_t set) {
  return (kCharSets[static_cast<unsigned char>(c)] & set) != 0;
}

// Matches ^[set]*$.
inline bool AllIn(absl::string_view text, uint8_t set) {
  for (const char c : text) {
    if (!IsIn(c, set)) return false;
  }
  return true;
}

// Matches ^[first]([middle]*[last])?$, where `last` must be a subset of `middle`.
inline bool IsWord(absl::string_view text, uint8_t first, uint8_t middle, uint8_t last) {
  if (text.empty() || !IsIn(text.front(), first)) return false;
  return text.size() == 1 || (IsIn(text.back(), last) && AllIn(text.substr(1), middle));
}

}  // namespace kube::validation::internal

#endif  // APIMACHINERY_VALIDATION_INTERNAL_SCAN_H_
