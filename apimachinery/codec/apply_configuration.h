#ifndef APIMACHINERY_CODEC_APPLY_CONFIGURATION_H_
#define APIMACHINERY_CODEC_APPLY_CONFIGURATION_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "apimachinery/table/message.h"
#include "apimachinery/types/apply_of.h"
#include "apimachinery/types/message_type.h"

// Converts between API objects and their apply configurations.
namespace kube::codec {

// Do what the templates below do, for types known at run time: `object` points to a struct that
// `message` describes, `configuration` to one of its apply configuration. The struct that is filled
// must be zero. After an error it may be partly filled; the caller must still destroy it.
absl::Status FillApplyConfiguration(const void* object, const kube::table::Message& message,
                                    void* configuration,
                                    const kube::table::Message& configuration_message);
absl::Status FillFromApplyConfiguration(const void* configuration,
                                        const kube::table::Message& configuration_message,
                                        void* object, const kube::table::Message& message);

// Returns an apply configuration that has everything that `object`, or a part of an object, has:
// the members that EncodeJson writes, except managed fields, self links, nulls, and structs in
// which nothing is set.
//
// A program that applies the configuration claims to own all of it. If the object was read from a
// server, this includes the defaults, the status and the fields of other managers: the apply takes
// them from their owners or conflicts with them. Use the function for objects that the program
// itself has built completely. To change what a manager applied before, use
// managedfields::ExtractOwned. client-go has no such function, for this reason.
//
//   KUBE_ASSIGN_OR_RETURN(const auto configuration, codec::ToApplyConfiguration(web));
//   return codec::EncodeJson(configuration);
//
// Returns the errors of EncodeJson. Thread-safe as long as no other thread changes `object`.
template <ApiStruct T>
absl::StatusOr<ApplyOf<T>> ToApplyConfiguration(const T& object) {
  ApplyOf<T> configuration;
  absl::Status status =
      FillApplyConfiguration(&object, T::kMessage, &configuration, ApplyOf<T>::kMessage);
  if (!status.ok()) return status;
  return configuration;
}

// Returns a T that has what `configuration` has; its other members are zero. Members that are
// absent and those that are set to zero cannot be told apart afterwards. Returns the errors of
// EncodeJson. Thread-safe as long as no other thread changes `configuration`.
//
//   return codec::FromApplyConfiguration<appsv1::Deployment>(configuration);
template <ApiStruct T>
absl::StatusOr<T> FromApplyConfiguration(const ApplyOf<T>& configuration) {
  T object;
  absl::Status status =
      FillFromApplyConfiguration(&configuration, ApplyOf<T>::kMessage, &object, T::kMessage);
  if (!status.ok()) return status;
  return object;
}

}  // namespace kube::codec

#endif  // APIMACHINERY_CODEC_APPLY_CONFIGURATION_H_
