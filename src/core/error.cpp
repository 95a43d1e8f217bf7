#include "unroll/core/error.h"

#include <utility>

namespace unroll {
namespace {

/// "isomap: row 4501 is at distance 0 from two points; use ..."
std::string composed(const Error::Parts& parts) {
  std::string message;
  if (!parts.who.empty()) message += parts.who + ": ";
  if (parts.row >= 0) message += "row " + std::to_string(parts.row + 1) + " ";
  message += parts.problem;
  if (!parts.advice.empty()) message += "; " + parts.advice;
  return message;
}

}  // namespace

std::string_view name_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::InvalidOption: return "invalid_option";
    case ErrorKind::Unsupported: return "unsupported";
    case ErrorKind::InvalidData: return "invalid_data";
    case ErrorKind::Disconnected: return "disconnected";
    case ErrorKind::NotConverged: return "not_converged";
    case ErrorKind::OutOfMemory: return "out_of_memory";
    case ErrorKind::Cancelled: return "cancelled";
    case ErrorKind::Io: return "io";
    case ErrorKind::Internal: break;
  }
  return "internal";
}

Error::Error(ErrorKind kind, std::string problem, std::string advice)
    : Error(kind, Parts{.problem = std::move(problem), .advice = std::move(advice)}) {}

Error::Error(ErrorKind kind, Parts parts)
    : std::runtime_error(composed(parts)), kind_(kind), parts_(std::make_shared<const Parts>(std::move(parts))) {}

Error Error::with_who(std::string_view who) const {
  Parts parts = *parts_;
  parts.who = who;
  return {kind_, std::move(parts)};
}

Error Error::with_advice(std::string_view advice) const {
  Parts parts = *parts_;
  parts.advice = advice;
  return {kind_, std::move(parts)};
}

Error Error::with_option(std::string_view option) const {
  Parts parts = *parts_;
  parts.option = option;
  return {kind_, std::move(parts)};
}

Error Error::with_row(std::int64_t row) const {
  Parts parts = *parts_;
  parts.row = row;
  return {kind_, std::move(parts)};
}

}  // namespace unroll
