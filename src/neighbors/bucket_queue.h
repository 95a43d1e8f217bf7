#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace unroll {

/// A queue of vertices in buckets: lower buckets first, and first in, first out within a bucket. A vertex is in one
/// bucket at most, so memory is bounded by vertices and buckets, however often vertices return.
class BucketQueue {
 public:
  static constexpr double kVertexBytes = 12;

  explicit BucketQueue(std::size_t vertices) : places_(vertices) {}

  /// Puts a vertex in a bucket, unless it is in that or an earlier one. A bucket before the present one means the
  /// present one.
  void put(std::int32_t vertex, std::int32_t bucket) {
    bucket = std::max(bucket, current_);
    Place& place = places_[at(vertex)];
    if (place.bucket <= bucket) return;
    if (place.bucket != kNowhere) unlink(place);
    if (at(bucket) >= ends_.size()) ends_.resize(at(bucket) + at(bucket) / 2 + 1);
    Ends& ends = ends_[at(bucket)];
    place = {bucket, ends.last, kNone};
    (ends.last == kNone ? ends.first : places_[at(ends.last)].next) = vertex;
    ends.last = vertex;
    used_ = std::max(used_, bucket + 1);
  }

  /// The next vertex, or -1 when there is none; the queue is then reset.
  std::int32_t take() {
    while (current_ < used_ && ends_[at(current_)].first == kNone) ++current_;
    if (current_ == used_) {
      current_ = used_ = 0;
      return kNone;
    }
    const std::int32_t vertex = ends_[at(current_)].first;
    Place& place = places_[at(vertex)];
    unlink(place);
    place.bucket = kNowhere;
    return vertex;
  }

 private:
  static constexpr std::int32_t kNone = -1;
  static constexpr std::int32_t kNowhere = std::numeric_limits<std::int32_t>::max();
  struct Place {
    std::int32_t bucket = kNowhere;
    std::int32_t previous = kNone;
    std::int32_t next = kNone;
  };
  struct Ends {
    std::int32_t first = kNone;
    std::int32_t last = kNone;
  };

  static std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

  void unlink(const Place& place) {
    Ends& ends = ends_[at(place.bucket)];
    (place.previous == kNone ? ends.first : places_[at(place.previous)].next) = place.next;
    (place.next == kNone ? ends.last : places_[at(place.next)].previous) = place.previous;
  }

  std::vector<Place> places_;
  std::vector<Ends> ends_;
  std::int32_t current_ = 0;
  std::int32_t used_ = 0;  ///< buckets from here on are empty
};

}  // namespace unroll
