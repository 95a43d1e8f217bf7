#pragma once
#include <memory>
#include <mutex>

namespace unroll {

/// A value that is made when it is first needed. Threads that need it at the same time wait for the first of them. If
/// making it fails, the next caller tries again.
template <class T>
class Lazy {
 public:
  /// `make` returns a std::unique_ptr<const T>.
  template <class Make>
  const T& get(Make&& make) const {
    const std::lock_guard lock(mutex_);
    if (value_ == nullptr) value_ = make();
    return *value_;
  }

 private:
  mutable std::mutex mutex_;
  mutable std::unique_ptr<const T> value_;
};

}  // namespace unroll
