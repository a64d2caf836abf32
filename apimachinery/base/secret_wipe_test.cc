#include <cstddef>
#include <cstdlib>
#include <new>
#include <string>

#include "apimachinery/base/secret.h"
#include "gtest/gtest.h"

namespace {

// The block to be checked when it is freed, and the result: there is no other defined way to see
// that memory was wiped before it was freed.
const void* g_watched = nullptr;
std::string g_freed;
size_t g_watched_size = 0;

}  // namespace

void* operator new[](size_t size) {
  void* block = std::malloc(size);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}

void operator delete[](void* block) noexcept {
  if (block != nullptr && block == g_watched) {
    g_freed.assign(static_cast<const char*>(block), g_watched_size);
    g_watched = nullptr;
  }
  std::free(block);
}

void operator delete[](void* block, size_t) noexcept { operator delete[](block); }

namespace kube::base {
namespace {

constexpr char kPassword[] = "correct horse battery staple";

void Watch(const Secret& secret) {
  g_watched = secret.Reveal().data();
  g_watched_size = secret.Reveal().size();
  g_freed = "not freed";
}

TEST(SecretWipe, IsWipedWhenDestroyed) {
  {
    const Secret secret(kPassword);
    Watch(secret);
  }
  EXPECT_EQ(g_freed, std::string(sizeof(kPassword) - 1, '\0'));
}

TEST(SecretWipe, IsWipedWhenOverwritten) {
  Secret moved_over(kPassword);
  Watch(moved_over);
  moved_over = Secret("new");
  EXPECT_EQ(g_freed, std::string(sizeof(kPassword) - 1, '\0'));
  Secret copied_over(kPassword);
  Watch(copied_over);
  copied_over = moved_over;
  EXPECT_EQ(g_freed, std::string(sizeof(kPassword) - 1, '\0'));
}

}  // namespace
}  // namespace kube::base
