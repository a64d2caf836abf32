#include "controller/health/internal/waiting_room.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/any_invocable.h"
#include "absl/strings/string_view.h"
#include "apimachinery/base/mutex.h"

namespace kube::health::internal {

struct WaitingRoom::State {
  struct Taken {
    const Place* place;  // compared, never dereferenced
    absl::AnyInvocable<void()> lost;
  };

  explicit State(size_t places) : capacity(places) {}

  const size_t capacity;
  base::Mutex mutex;
  // The places of each peer that has any, oldest first.
  std::map<std::string, std::vector<Taken>> peers ABSL_GUARDED_BY(mutex);
  size_t size ABSL_GUARDED_BY(mutex) = 0;
};

WaitingRoom::WaitingRoom(size_t capacity) : state_(std::make_shared<State>(capacity)) {}

WaitingRoom::Place::Place(const WaitingRoom& room, absl::string_view peer)
    : state_(room.state_), peer_(peer) {}

WaitingRoom::Place::~Place() { Leave(); }

bool WaitingRoom::Place::Enter(absl::AnyInvocable<void()> lost) {
  absl::AnyInvocable<void()> loser;
  {
    base::MutexLock lock(state_->mutex);
    auto& peers = state_->peers;
    if (state_->size == state_->capacity) {
      const auto own = peers.find(peer_);
      const size_t own_size = own == peers.end() ? 0 : own->second.size();
      const auto most = std::max_element(
          peers.begin(), peers.end(),
          [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
      if (most == peers.end() || most->second.size() < own_size + 2) return false;
      loser = std::move(most->second.back().lost);
      most->second.pop_back();
      --state_->size;
    }
    peers[peer_].push_back({.place = this, .lost = std::move(lost)});
    ++state_->size;
  }
  if (loser != nullptr) loser();
  return true;
}

void WaitingRoom::Place::Leave() {
  absl::AnyInvocable<void()> lost;  // destroyed after the unlock, as it may own anything
  base::MutexLock lock(state_->mutex);
  const auto own = state_->peers.find(peer_);
  if (own == state_->peers.end()) return;
  std::vector<State::Taken>& places = own->second;
  const auto found = std::find_if(places.begin(), places.end(), [this](const State::Taken& taken) {
    return taken.place == this;
  });
  if (found == places.end()) return;
  lost = std::move(found->lost);
  places.erase(found);
  if (places.empty()) state_->peers.erase(own);
  --state_->size;
}

}  // namespace kube::health::internal
