#include "apiserver/call/core.h"

namespace kube::apiserver::internal {

void Core::Settle(bool may_block) {
  if (!may_block && webhooks.HearsOfDeletions()) return;
  bool worked = false;
  do {
    registry.collector().Settle();
    registry.aggregator().Settle();
    worked = token_secrets != nullptr && token_secrets->Settle();
    worked |= definitions.Settle();
    // Behind the definitions, whose kinds it knows.
    worked |= policy_status != nullptr && policy_status->Settle();
  } while (worked);
}

}  // namespace kube::apiserver::internal
