#include "apimachinery/types/duration.h"

#include <ostream>

#include "apimachinery/base/text/duration_text.h"

namespace kube {

std::string Duration::ToString() const { return text::FormatGoDuration(nanoseconds_); }

std::ostream& operator<<(std::ostream& out, Duration duration) {
  return out << duration.ToString();
}

}  // namespace kube
