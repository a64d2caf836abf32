#include "apimachinery/types/string.h"

#include <ostream>

namespace kube {

std::ostream& operator<<(std::ostream& out, const String& text) {
  return out.write(text.data(), static_cast<std::streamsize>(text.size()));
}

}  // namespace kube
