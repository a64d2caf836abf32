#ifndef LISTERS_INTERNAL_READ_SECTIONS_H_
#define LISTERS_INTERNAL_READ_SECTIONS_H_

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace kube::listers::internal {

// Tells a writer when nobody looks any more at what it has taken away, so that readers need neither
// a lock nor a reference.
//
// A reader opens a section, finds what it looks for through atomics, all of them sequentially
// consistent, and closes the section. The writer takes something away, from where readers find it,
// and destroys it after two calls of Advance that both began later and both succeeded.
//
// Opening never waits, and writes to a cache line that few other threads write to. A thread that
// stops inside of a section holds up destruction, but no other reader, and no writer that does not
// wait. Sections are short, and nothing in them may block.
class ReadSections {
 public:
  ReadSections() = default;
  ReadSections(const ReadSections&) = delete;
  ReadSections& operator=(const ReadSections&) = delete;

  class Section {
   public:
    explicit Section(const ReadSections& sections)
        : open_(sections.shards_[ThisShard()]
                    .open[sections.phase_.load(std::memory_order_relaxed) % 2]) {
      open_.fetch_add(1, std::memory_order_seq_cst);
    }
    ~Section() { open_.fetch_sub(1, std::memory_order_release); }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

   private:
    std::atomic<uint32_t>& open_;
  };

  // For one thread at a time. False: sections of the phase before are still open. Never waits.
  bool Advance();

  // Returns when all sections that are open now are closed.
  void WaitForReaders();

 private:
  static constexpr size_t kShards = 16;
  // Of a phase no section is opened while it drains, but by readers that were slow to.
  struct alignas(64) Shard {
    std::atomic<uint32_t> open[2] = {};
  };

  static size_t ThisShard();

  mutable Shard shards_[kShards];
  alignas(64) std::atomic<uint32_t> phase_ = 0;
};

}  // namespace kube::listers::internal

#endif  // LISTERS_INTERNAL_READ_SECTIONS_H_
