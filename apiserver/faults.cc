#include "apiserver/faults.h"

#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "apiserver/fault_rule.h"
#include "apiserver/faults/fault_layer.h"

namespace kube::apiserver {

FaultId Faults::Add(FaultRule rule) { return layer_->Add(std::move(rule)); }
void Faults::Remove(FaultId id) { layer_->Remove(id); }
void Faults::Clear() { layer_->Clear(); }
FaultCount Faults::Count(FaultId id) const { return layer_->Count(id); }
std::vector<FaultCount> Faults::Counts() const { return layer_->Counts(); }
void Faults::CloseWatches(absl::string_view user_agent) { layer_->CloseWatches(user_agent); }
void Faults::BreakConnections(absl::string_view user_agent) {
  layer_->BreakConnections(user_agent);
}

}  // namespace kube::apiserver
