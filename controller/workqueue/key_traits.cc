#include "controller/workqueue/key_traits.h"

#include <cstring>
#include <string>

#include "absl/strings/string_view.h"
#include "apimachinery/meta/object_name.h"

namespace kube::workqueue {

void ShortText::Append(absl::string_view part) {
  if (long_.empty() && part.size() <= sizeof(short_) - size_) {
    std::memcpy(short_ + size_, part.data(), part.size());
    size_ += part.size();
    return;
  }
  if (long_.empty()) long_.assign(short_, size_);
  long_.append(part.data(), part.size());
}

ShortText KeyTraits<meta::ObjectName>::ToText(const meta::ObjectName& key) {
  ShortText text;
  if (!key.namespace_name.empty()) {
    text.Append(key.namespace_name);
    text.Append('/');
  }
  text.Append(key.name);
  return text;
}

meta::ObjectName KeyTraits<meta::ObjectName>::FromText(absl::string_view text) {
  const size_t slash = text.find('/');
  if (slash == absl::string_view::npos) return {.name = std::string(text)};
  return {.namespace_name = std::string(text.substr(0, slash)),
          .name = std::string(text.substr(slash + 1))};
}

}  // namespace kube::workqueue
