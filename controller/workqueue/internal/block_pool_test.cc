#include "controller/workqueue/internal/block_pool.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <set>
#include <vector>

#include "gtest/gtest.h"
#include "tests/dice.h"

namespace kube::workqueue::internal {
namespace {

struct Piece {
  Ref ref;
  size_t bytes;
  unsigned char value;
};

void Fill(BlockPool& pool, const Piece& piece) {
  std::memset(pool.At(piece.ref), piece.value, piece.bytes);
}

bool IsWhole(const BlockPool& pool, const Piece& piece) {
  const auto* bytes = static_cast<const unsigned char*>(pool.At(piece.ref));
  for (size_t i = 0; i < piece.bytes; ++i) {
    if (bytes[i] != piece.value) return false;
  }
  return true;
}

TEST(BlockPoolTest, PiecesAreApartAndStay) {
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    oracle::Dice dice(seed);
    BlockPool pool;
    std::vector<Piece> pieces;
    for (int step = 0; step < 20'000; ++step) {
      if (dice.Below(100) < 52 || pieces.empty()) {
        const size_t bytes = dice.Below(50) == 0 ? 500 + dice.Below(40'000) : 1 + dice.Below(600);
        Piece piece = {pool.Allocate(bytes), bytes, static_cast<unsigned char>(dice.Below(256))};
        ASSERT_NE(piece.ref, kNowhere);
        ASSERT_EQ(reinterpret_cast<uintptr_t>(pool.At(piece.ref)) % 8, 0u);
        Fill(pool, piece);
        pieces.push_back(piece);
      } else {
        const size_t i = dice.Below(pieces.size());
        ASSERT_TRUE(IsWhole(pool, pieces[i]));
        pool.Free(pieces[i].ref, pieces[i].bytes);
        pieces[i] = pieces.back();
        pieces.pop_back();
      }
    }
    std::set<Ref> refs;
    for (const Piece& piece : pieces) {
      EXPECT_TRUE(refs.insert(piece.ref).second);
      EXPECT_TRUE(IsWhole(pool, piece));
    }
  }
}

void AllocateAndFree(BlockPool& pool, size_t pieces) {
  std::vector<Ref> refs;
  for (size_t i = 0; i < pieces; ++i) refs.push_back(pool.Allocate(40));
  EXPECT_GE(pool.MemoryUsage(), pieces * 40);
  EXPECT_LE(pool.MemoryUsage(), pieces * 41);
  for (const Ref ref : refs) pool.Free(ref, 40);
}

TEST(BlockPoolTest, GivesBackWhatItTookWhenItIsEmpty) {
  BlockPool pool;
  for (int round = 0; round < 2; ++round) {
    AllocateAndFree(pool, 200'000);
    EXPECT_EQ(pool.MemoryUsage(), 0u);
  }
}

TEST(BlockPoolTest, KeepsWhatIsNotMuch) {
  BlockPool pool;
  for (int round = 0; round < 2; ++round) {
    AllocateAndFree(pool, 50'000);
    EXPECT_GE(pool.MemoryUsage(), 2'000'000u);
    EXPECT_LE(pool.MemoryUsage(), 2'050'000u);
  }
}

TEST(BlockPoolTest, UsesAgainWhatWasFreed) {
  BlockPool pool;
  const Ref kept = pool.Allocate(40);
  const Ref long_one = pool.Allocate(10'000);
  const size_t before = pool.MemoryUsage();
  pool.Free(long_one, 10'000);
  for (int i = 0; i < 10'000; ++i) {
    const Ref ref = pool.Allocate(48);
    ASSERT_NE(ref, kept);
    pool.Free(ref, 48);
    pool.Free(pool.Allocate(20'000), 20'000);
  }
  EXPECT_LE(pool.MemoryUsage(), before);
}

}  // namespace
}  // namespace kube::workqueue::internal
